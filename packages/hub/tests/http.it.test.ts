import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  bearer,
  handshake,
  negotiate,
  newId,
  openEvents,
  openHub,
  openPolling,
  openSocket,
  poll,
  post,
  record,
  records,
  upgradeStatus,
} from './support/raw.ts'
import { startHub, type TestHub } from './support/server.ts'

let t: TestHub
beforeAll(async () => {
  t = await startHub({ allowOrigin: (origin) => origin === 'https://friend.example' })
})
afterAll(() => t.close())

const status = async (answer: Promise<Response>): Promise<number> => {
  const response = await answer
  await response.text()
  return response.status
}
const call = (method: string, query: string, headers: Record<string, string> = bearer('ann')) =>
  status(fetch(`${t.url}${query}`, { method, headers }))

describe('the token', () => {
  test('is asked for on every request, before anything is created or said', async () => {
    const before = t.hub.metrics().pending.unused
    for (const token of [{}, bearer('bad'), { authorization: 'Basic YW5u' }, bearer('ann@1000')] as Record<
      string,
      string
    >[]) {
      for (const [method, path] of [
        ['POST', '/negotiate?negotiateVersion=1'],
        ['GET', '/negotiate'],
        ['GET', '?id=x'],
        ['GET', ''],
        ['POST', '?id=x'],
        ['DELETE', '?id=x'],
        ['PUT', '?id=x'],
      ] as const) {
        const answer = await fetch(`${t.url}${path}`, { method, headers: token })
        expect([method, path, answer.status, await answer.text()]).toEqual([method, path, 401, ''])
      }
      expect((await upgradeStatus(t.url, token)).status).toBe(401)
      expect((await upgradeStatus(`${t.url}?id=x`, token)).status).toBe(401)
    }
    expect(t.hub.metrics().pending.unused).toBe(before)
  })

  test('that is good but not for this hub is forbidden', async () => {
    expect(await call('POST', '/negotiate', bearer('foreign'))).toBe(403)
    expect((await upgradeStatus(t.url, bearer('foreign'))).status).toBe(403)
  })

  test('is taken from the header first, else from the query', async () => {
    expect(await call('POST', '/negotiate?access_token=ann', {})).toBe(200)
    expect(await call('POST', '/negotiate?access_token=bad')).toBe(200)
    expect(await call('POST', '/negotiate?access_token=ann', bearer('bad'))).toBe(401)
  })

  test('check that fails is our own fault, without details', async () => {
    const answer = await fetch(`${t.url}/negotiate`, { method: 'POST', headers: bearer('broken') })
    expect([answer.status, await answer.text()]).toEqual([500, ''])
    expect((await upgradeStatus(t.url, bearer('broken'))).status).toBe(500)
  })

  test("of another user is forbidden on someone's connection", async () => {
    const id = await openPolling(t.url)
    expect(await status(poll(t.url, id, 'bob'))).toBe(403)
    expect(await status(post(t.url, id, handshake, 'bob'))).toBe(403)
    expect(await call('DELETE', `?id=${id}`, bearer('bob'))).toBe(403)
    const unused = await newId(t.url)
    expect((await upgradeStatus(`${t.url}?id=${unused}`, bearer('bob'))).status).toBe(403)
  })
})

describe('negotiate', () => {
  test('version 1: a public id and a secret key', async () => {
    const answer = await negotiate(t.url)
    expect(answer.negotiateVersion).toBe(1)
    expect(answer.connectionId).toMatch(/^[\w-]{22}$/)
    expect(answer.connectionToken).toMatch(/^[\w-]+\.[\w-]{22,}$/)
    expect(answer.connectionToken).not.toContain(answer.connectionId)
    expect(answer.availableTransports.map(({ transport }) => transport)).toEqual([
      'WebSockets',
      'ServerSentEvents',
      'LongPolling',
    ])
    expect(answer.availableTransports.every(({ transferFormats }) => transferFormats.includes('Text'))).toBe(
      true,
    )
    expect(Object.keys(answer).sort()).toEqual([
      'availableTransports',
      'connectionId',
      'connectionToken',
      'negotiateVersion',
    ])
  })

  test('version 0: the id is the key', async () => {
    const answer = await negotiate(t.url, 'ann', null)
    expect(answer.negotiateVersion).toBe(0)
    expect(answer).not.toHaveProperty('connectionToken')
    expect(await status(poll(t.url, answer.connectionId))).toBe(200)
  })

  test('a newer version gets ours, nonsense an error without ids', async () => {
    expect((await negotiate(t.url, 'ann', '7')).negotiateVersion).toBe(1)
    for (const version of ['x', '-1', '1.5', ''])
      expect(await negotiate(t.url, 'ann', version)).toEqual({ error: expect.any(String) })
  })

  test('takes any label on the body, and none', async () => {
    for (const type of ['text/plain;charset=UTF-8', 'application/json', 'nonsense'])
      expect(await call('POST', '/negotiate', { ...bearer('ann'), 'content-type': type })).toBe(200)
    expect(
      await status(fetch(`${t.url}/negotiate`, { method: 'POST', headers: bearer('ann'), body: '{"a":' })),
    ).toBe(200)
  })

  test('is not cacheable and tells no referrer', async () => {
    const answer = await fetch(`${t.url}/negotiate`, { method: 'POST', headers: bearer('ann') })
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.headers.get('cache-control')).toContain('no-store')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  })

  test('by other methods is refused', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'HEAD']) expect(await call(method, '/negotiate')).toBe(405)
  })
})

describe('statuses', () => {
  test('a missing id', async () => {
    expect(await call('GET', '')).toBe(400)
    expect(await call('GET', '', { ...bearer('ann'), accept: 'text/event-stream' })).toBe(400)
    expect(await call('POST', '')).toBe(400)
    expect(await call('DELETE', '')).toBe(400)
  })

  test('an unknown id, and an ended one', async () => {
    const socket = await openHub(t.url, 'ann', await newId(t.url))
    const id = new URL(socket.socket.url).searchParams.get('id') ?? ''
    socket.send({ type: 7 })
    await socket.closed
    for (const key of ['nobody', id]) {
      expect(await status(poll(t.url, key))).toBe(404)
      expect(await status(post(t.url, key, handshake))).toBe(404)
      expect(await call('DELETE', `?id=${key}`)).toBe(404)
      expect(await call('GET', `?id=${key}`, { ...bearer('ann'), accept: 'text/event-stream' })).toBe(404)
      expect((await upgradeStatus(`${t.url}?id=${key}`, bearer('ann'))).status).toBe(404)
    }
  })

  test('a second start on one id', async () => {
    const socket = await openSocket(t.url, { id: await newId(t.url) })
    const id = new URL(socket.socket.url).searchParams.get('id') ?? ''
    expect((await upgradeStatus(`${t.url}?id=${id}`, bearer('ann'))).status).toBe(409)
    expect(await status(poll(t.url, id))).toBe(400)
    expect(await status(post(t.url, id, handshake))).toBe(405)
    expect(await call('DELETE', `?id=${id}`)).toBe(400)
    socket.socket.terminate()

    const events = await openEvents(t.url, await newId(t.url))
    expect(await call('GET', `?id=${events.id}`, { ...bearer('ann'), accept: 'text/event-stream' })).toBe(409)
    expect((await upgradeStatus(`${t.url}?id=${events.id}`, bearer('ann'))).status).toBe(400)
    expect(await call('DELETE', `?id=${events.id}`)).toBe(400)
    events.destroy()

    const polling = await openPolling(t.url)
    expect((await upgradeStatus(`${t.url}?id=${polling}`, bearer('ann'))).status).toBe(400)
    expect(await call('GET', `?id=${polling}`, { ...bearer('ann'), accept: 'text/event-stream' })).toBe(400)
  })

  test('a POST before the start', async () => {
    expect(await status(post(t.url, await newId(t.url), handshake))).toBe(409)
  })

  test('POST is taken with an empty text, DELETE with 202', async () => {
    const id = await openPolling(t.url)
    const taken = await post(t.url, id, record({ type: 6 }))
    expect([taken.status, taken.headers.get('content-type'), await taken.text()]).toEqual([
      200,
      expect.stringMatching(/^text\/plain/),
      '',
    ])
    expect(await call('DELETE', `?id=${id}`)).toBe(202)
  })

  test('a poll with data says its length and its type', async () => {
    const id = await openPolling(t.url)
    const waiting = poll(t.url, id)
    await post(t.url, id, record({ type: 1, target: 'Echo', arguments: ['é'], invocationId: '1' }))
    const answer = await waiting
    expect(answer.headers.get('content-type')).toBe('application/octet-stream')
    const text = await answer.text()
    expect(Number(answer.headers.get('content-length'))).toBe(Buffer.byteLength(text))
    expect(answer.headers.get('cache-control')).toContain('no-store')
    expect(records(text)).toEqual([{ type: 3, invocationId: '1', result: 'é' }])
  })

  test('a POST over the limit is 413 and ends the connection', async () => {
    const id = await openPolling(t.url)
    const waiting = poll(t.url, id)
    const answer = await post(t.url, id, Buffer.alloc(1024 * 1024 + 1, 'x')).then(
      (response) => response.status,
      () => 'cut off',
    )
    expect([413, 'cut off']).toContain(answer)
    expect(records(await (await waiting).text())).toEqual([
      { type: 7, error: 'Connection closed with an error.', allowReconnect: true },
    ])
    expect(await status(poll(t.url, id))).toBe(204)
    expect(await status(poll(t.url, id))).toBe(404)
  })

  test('the upgrade has no sub-protocol, whatever is offered', async () => {
    const answer = await upgradeStatus(t.url, { ...bearer('ann'), 'sec-websocket-protocol': 'chat' })
    expect(answer.status).toBe(101)
    expect(answer.headers).not.toHaveProperty('sec-websocket-protocol')
  })

  test('a malformed upgrade makes no connection', async () => {
    const own = await startHub()
    expect((await upgradeStatus(own.url, { ...bearer('ann'), 'sec-websocket-key': 'x' })).status).toBe(400)
    expect(own.hub.metrics().pending).toEqual({ unused: 0, started: 0, closing: 0 })
    await own.close()
  })

  test('extra query parameters are ignored', async () => {
    const answer = await fetch(`${t.url}/negotiate?tenant=4&negotiateVersion=1&_=5`, {
      method: 'POST',
      headers: bearer('ann'),
    })
    expect(answer.status).toBe(200)
  })
})

describe('other origins', () => {
  const friend = { origin: 'https://friend.example' }

  test('a preflight is answered without a token', async () => {
    for (const path of ['', '/negotiate']) {
      const answer = await fetch(`${t.url}${path}`, {
        method: 'OPTIONS',
        headers: { ...friend, 'access-control-request-method': 'POST' },
      })
      expect(answer.status).toBe(204)
      expect(answer.headers.get('access-control-allow-origin')).toBe('https://friend.example')
      expect(answer.headers.get('access-control-allow-credentials')).toBe('true')
      expect(answer.headers.get('access-control-allow-methods')).toBe('GET, POST, DELETE')
      for (const name of ['authorization', 'content-type', 'x-requested-with', 'x-signalr-user-agent'])
        expect(answer.headers.get('access-control-allow-headers')).toContain(name)
      expect(answer.headers.get('vary')).toContain('Origin')
    }
  })

  test('errors and hijacked answers carry the headers too', async () => {
    const refused = await fetch(`${t.url}/negotiate`, { method: 'POST', headers: friend })
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, friend.origin])
    const id = await newId(t.url)
    const first = await fetch(`${t.url}?id=${id}`, { headers: { ...bearer('ann'), ...friend } })
    expect([first.status, first.headers.get('access-control-allow-origin')]).toEqual([200, friend.origin])
    const upgrade = await upgradeStatus(t.url, friend)
    expect([upgrade.status, upgrade.headers['access-control-allow-origin']]).toEqual([401, friend.origin])
  })

  test('a stranger gets no headers, and no WebSocket', async () => {
    const stranger = { origin: 'https://stranger.example' }
    const answer = await fetch(`${t.url}/negotiate`, {
      method: 'POST',
      headers: { ...bearer('ann'), ...stranger },
    })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect((await upgradeStatus(t.url, { ...bearer('ann'), ...stranger })).status).toBe(403)
    expect((await upgradeStatus(t.url, { ...bearer('ann'), origin: 'null' })).status).toBe(403)
    expect((await upgradeStatus(t.url, { ...bearer('ann'), origin: t.origin })).status).toBe(101)
    expect((await upgradeStatus(t.url, { ...bearer('ann'), ...friend })).status).toBe(101)
  })
})
