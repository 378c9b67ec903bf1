import http from 'node:http'
import { createRequire } from 'node:module'
import type WebSocketType from 'ws'
import { until } from './server.ts'

/** The library's own ws; the one at the root belongs to the official client. */
const require = createRequire(import.meta.resolve('../../src/hub.ts'))
const WebSocket = require('ws') as typeof WebSocketType

const RS = '\u001e'
/** A record as it travels. */
export const record = (value: unknown): string => JSON.stringify(value) + RS
export const handshake = record({ protocol: 'json', version: 1 })

/** All records of a text. */
export function records(text: string): unknown[] {
  if (text === '') return []
  if (!text.endsWith(RS)) throw new Error(`Not whole records: ${text}`)
  return text
    .slice(0, -1)
    .split(RS)
    .map((one): unknown => JSON.parse(one))
}

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })

export interface Negotiated {
  negotiateVersion: number
  connectionId: string
  connectionToken?: string
  availableTransports: { transport: string; transferFormats: string[] }[]
  error?: string
  url?: string
}

export async function negotiate(
  url: string,
  token = 'ann',
  version: string | null = '1',
): Promise<Negotiated> {
  const query = version === null ? '' : `?negotiateVersion=${version}`
  const answer = await fetch(`${url}/negotiate${query}`, { method: 'POST', headers: bearer(token) })
  if (!answer.ok) throw new Error(`negotiate: ${answer.status}`)
  return (await answer.json()) as Negotiated
}

/** The key of a fresh connection. */
export async function newId(url: string, token = 'ann'): Promise<string> {
  return (await negotiate(url, token)).connectionToken ?? ''
}

export function poll(url: string, id: string, token = 'ann', signal?: AbortSignal): Promise<Response> {
  return fetch(`${url}?id=${id}&_=1`, { headers: bearer(token), signal: signal ?? null })
}

export function post(url: string, id: string, body: string | Buffer, token = 'ann'): Promise<Response> {
  return fetch(`${url}?id=${id}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : new Uint8Array(body),
    headers: { ...bearer(token), 'content-type': 'text/plain;charset=UTF-8' },
  })
}

/** A long-polling connection that has shaken hands. */
export async function openPolling(url: string, token = 'ann'): Promise<string> {
  const id = await newId(url, token)
  await poll(url, id, token)
  const first = poll(url, id, token)
  await post(url, id, handshake, token)
  const text = await (await first).text()
  if (text !== `{}${RS}`) throw new Error(`handshake: ${text}`)
  return id
}

export interface RawEvents {
  id: string
  response: http.IncomingMessage
  /** All that came, comments included. */
  text(): string
  records(): unknown[]
  ended: Promise<void>
  destroy(): void
}

/** An event stream, read as bytes. */
export function openEvents(url: string, id: string, token = 'ann'): Promise<RawEvents> {
  return new Promise((resolve, reject) => {
    const request = http.get(
      `${url}?id=${id}&access_token=${token}`,
      { headers: { accept: 'text/event-stream' } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        const text = (): string => Buffer.concat(chunks).toString()
        resolve({
          id,
          response,
          text,
          records: () =>
            text()
              .split('\n')
              .filter((line) => line.startsWith('data: '))
              .flatMap((line) => records(line.slice(6))),
          ended: new Promise((done) => response.on('close', () => done())),
          destroy: () => request.destroy(),
        })
      },
    )
    request.on('error', reject)
  })
}

export interface RawSocket {
  socket: WebSocketType
  received: unknown[]
  /** Every message as it came: one unit each. */
  units: string[]
  send(...values: unknown[]): void
  closed: Promise<{ code: number }>
}

/** A WebSocket without the official client; rejects with the status when it is refused. */
export function openSocket(
  url: string,
  {
    id,
    token = 'ann',
    headers = {},
  }: { id?: string; token?: string | null; headers?: Record<string, string> } = {},
): Promise<RawSocket> {
  const address = `${url.replace('http', 'ws')}${id === undefined ? '' : `?id=${id}`}`
  const socket = new WebSocket(address, {
    headers: { ...(token === null ? {} : bearer(token)), ...headers },
  })
  const received: unknown[] = []
  const units: string[] = []
  socket.on('message', (data, isBinary) => {
    if (isBinary) throw new Error('a binary frame')
    const text = Buffer.isBuffer(data) ? data.toString() : ''
    units.push(text)
    received.push(...records(text))
  })
  const closed = new Promise<{ code: number }>((resolve) => socket.on('close', (code) => resolve({ code })))
  return new Promise((resolve, reject) => {
    socket.on('unexpected-response', (_request, response) => reject(new Error(String(response.statusCode))))
    socket.on('error', reject)
    socket.on('open', () =>
      resolve({
        socket,
        received,
        units,
        send: (...values) => socket.send(values.map((value) => record(value)).join('')),
        closed,
      }),
    )
  })
}

/** A WebSocket that has shaken hands; its `received` begins after that. */
export async function openHub(url: string, token = 'ann', id?: string): Promise<RawSocket> {
  const raw = await openSocket(url, { token, id })
  raw.socket.send(handshake)
  await until(() => raw.received.length > 0, 'the handshake')
  raw.received.splice(0)
  return raw
}

/** The status with which an upgrade was refused, and its headers. */
export function upgradeStatus(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: http.IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...headers,
      },
    })
    request.on('response', (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0, headers: response.headers })
    })
    request.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve({ status: response.statusCode ?? 0, headers: response.headers })
    })
    request.on('error', reject)
  })
}
