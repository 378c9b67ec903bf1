import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { listBody } from '@weft/contract/core/list'
import { answerReader } from './answer-shape.ts'
import { AllRows, StreamAnswer, WithMessage } from './answers.ts'

/** An answer ready to be sent. */
export type Payload =
  | { kind: 'json'; body: unknown; replayed?: boolean }
  | { kind: 'all'; rows: AsyncIterable<unknown>; total: number; row: z.ZodType }
  | { kind: 'stream'; answer: StreamAnswer }

/**
 * Puts what a handler gave into the envelope of every success. The contract's schema is applied to it, so nothing that
 * the contract does not name can leave the server.
 */
export function describe(endpoint: Endpoint, answer: unknown): Payload {
  if (endpoint.stream) {
    if (!(answer instanceof StreamAnswer)) throw new Error(`${endpoint.name} must answer with a stream`)
    return { kind: 'stream', answer }
  }
  if (endpoint.list) {
    if (answer instanceof AllRows)
      return { kind: 'all', rows: answer.rows, total: answer.total, row: endpoint.list }
    return {
      kind: 'json',
      body: answerReader(listOf(endpoint.list))({ status: 'Success', ...Object(answer) }),
    }
  }
  const { data, message } =
    answer instanceof WithMessage ? answer : { data: answer ?? null, message: undefined }
  return {
    kind: 'json',
    body: {
      status: 'Success',
      data: endpoint.data ? answerReader(endpoint.data)(data) : null,
      ...(message === undefined ? {} : { message }),
    },
  }
}

const lists = new WeakMap<z.ZodType, ReturnType<typeof listBody>>()

function listOf(row: z.ZodType): ReturnType<typeof listBody> {
  const known = lists.get(row) ?? listBody(row)
  lists.set(row, known)
  return known
}

/** Sends the answer. */
export function send(reply: FastifyReply, payload: Payload): FastifyReply {
  if (payload.kind === 'stream') return sendStream(reply, payload.answer)
  if (payload.kind === 'all')
    return reply
      .type('application/json; charset=utf-8')
      .send(Readable.from(rowsAsJson(payload), { objectMode: false }))
  if (payload.replayed) void reply.header('idempotency-replayed', 'true')
  return reply.send(payload.body)
}

async function* rowsAsJson({ rows, total, row }: Extract<Payload, { kind: 'all' }>): AsyncGenerator<string> {
  let chunk = '{"status":"Success","data":['
  let first = true
  const read = answerReader(row)
  for await (const one of rows) {
    chunk += (first ? '' : ',') + JSON.stringify(read(one))
    first = false
    if (chunk.length > 65_536) {
      yield chunk
      chunk = ''
    }
  }
  yield `${chunk}],"totalPage":1,"totalRecord":${total}}`
}

function sendStream(reply: FastifyReply, { options }: StreamAnswer): FastifyReply {
  void reply.code(options.status ?? 200).type(options.contentType)
  // What a person uploaded is never shown as a page of this site.
  void reply.header('content-security-policy', "default-src 'none'; sandbox")
  if (options.length !== undefined) void reply.header('content-length', options.length)
  if (options.fileName !== undefined)
    void reply.header(
      'content-disposition',
      `attachment; filename*=UTF-8''${encodeFileName(options.fileName)}`,
    )
  for (const [name, value] of Object.entries(options.headers ?? {})) void reply.header(name, value)
  // Who asks for the headers alone has nothing read for them.
  if (reply.request.method === 'HEAD') {
    if (options.body instanceof Readable) options.body.destroy()
    return reply.send(Readable.from([]))
  }
  return reply.send(Readable.from(options.body, { objectMode: false }))
}

function encodeFileName(name: string): string {
  return encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
