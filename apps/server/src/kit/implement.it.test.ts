import { randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, CallError } from '@weft/contract/core/client'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { makeNoteTable, notes, notesFeature, seen } from '../testing/notes.ts'
import type { TestPerson } from '../testing/people.ts'
import { newId } from './id.ts'

let server: TestServer
let operator: TestPerson
let viewer: TestPerson

beforeAll(async () => {
  server = await startTestServer({ more: [notesFeature] })
  await makeNoteTable(server.deps.db)
  operator = await server.as('operator')
  viewer = await server.as('viewer')
})
afterAll(() => server.stop())

const refusal = async (made: Promise<unknown>): Promise<CallError> => {
  const error = await made.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof CallError) return error
  throw new Error('the call was expected to be refused', { cause: error })
}

const rowsOf = async (text: string, values: unknown[] = []) =>
  (await server.deps.pool.query<Record<string, unknown>>(text, values)).rows

const post = (path: string, init: { body: string; headers: Record<string, string> }) =>
  fetch(server.url + path, {
    method: 'POST',
    ...init,
    headers: { authorization: `Bearer ${operator.token}`, ...init.headers },
  })

const title = () => `note ${randomBytes(4).toString('hex')}`

describe('a change', () => {
  it('is committed with its audit row, its event and its job, and then has its effect', async () => {
    const api = operator.api(notes)
    const response = await post(notes.create.path, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: title() }),
    })
    const body = (await response.json()) as { data: { id: string }; message: string; status: string }
    expect(body).toMatchObject({ status: 'Success', message: 'Insert data successfully' })
    const { id } = body.data
    expect(await api.get({ id })).toMatchObject({ id, ownerId: operator.id, version: 1 })
    expect(
      await rowsOf('select label, actor_id, address, request_id from audit where record_id = $1', [id]),
    ).toEqual([
      {
        label: 'note.create',
        actor_id: operator.id,
        address: '127.0.0.1',
        request_id: response.headers.get('x-request-id'),
      },
    ])
    expect(seen.effects).toContain(id)
    await expect.poll(() => seen.jobs).toContain(id)
    await expect
      .poll(() => rowsOf('select kind from event where record_id = $1', [id]))
      .toEqual([{ kind: 'created' }])
  })

  it('that fails leaves nothing behind', async () => {
    const name = title()
    const error = await refusal(operator.api(notes).create({ title: name, failAfter: true }))
    expect(error).toMatchObject({ httpStatus: 409, code: 'record.wrong_state' })
    expect(await rowsOf('select 1 from note where title = $1', [name])).toEqual([])
    expect(await rowsOf(`select 1 from audit where after->>'title' = $1`, [name])).toEqual([])
  })

  it('of a stale version is answered with the record as it is now', async () => {
    const api = operator.api(notes)
    const { id } = await api.create({ title: title() })
    const newer = title()
    await api.update({ id, version: 1, title: newer })
    const error = await refusal(api.update({ id, version: 1, title: title() }))
    expect(error).toMatchObject({ httpStatus: 409, code: 'record.stale' })
    expect(error.body.current).toMatchObject({ id, title: newer, version: 2 })
  })

  it('of two at once lets one win', async () => {
    const api = operator.api(notes)
    const { id } = await api.create({ title: title() })
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => api.update({ id, version: 1, title: title() })),
    )
    expect(results.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    expect(await api.get({ id })).toMatchObject({ version: 2 })
  })

  it('keeps secrets out of the audit log', async () => {
    const api = operator.api(notes)
    const { id } = await api.create({ title: title() })
    await api.update({ id, version: 1, title: title(), password: 'hunter2hunter2' })
    const rows = await rowsOf('select before, after from audit where record_id = $1', [id])
    expect(JSON.stringify(rows)).not.toContain('hunter2')
  })

  it('is audited also when its handler says nothing of it, and the log cannot be rewritten', async () => {
    const api = operator.api(notes)
    const { id } = await api.create({ title: title() })
    await api.remove({ id })
    expect(await rowsOf(`select label from audit where record_id = $1 order by at`, [id])).toEqual([
      { label: 'note.create' },
      { label: 'note.delete' },
    ])
    await expect(rowsOf('delete from audit')).rejects.toThrow('only grows')
    await expect(rowsOf(`update audit set label = 'x'`)).rejects.toThrow('only grows')
  })

  it('puts into the trash and takes out again', async () => {
    const api = operator.api(notes)
    const { id } = await api.create({ title: title() })
    await api.remove({ id })
    expect((await refusal(api.get({ id }))).code).toBe('record.not_found')
    expect((await refusal(api.remove({ id }))).code).toBe('record.not_found')
    expect(await api.restore({ id })).toMatchObject({ id, version: 3 })
  })

  it('against a constraint is a clear refusal', async () => {
    const api = operator.api(notes)
    const name = title()
    await api.create({ title: name })
    expect(await refusal(api.create({ title: name }))).toMatchObject({
      httpStatus: 409,
      body: { code: 'record.duplicate', params: { field: 'title' } },
    })
  })

  it('may work before its transaction', async () => {
    expect(await operator.api(notes).prepared({ word: 'hello' })).toEqual({ said: 'operator says hello' })
  })
})

describe('a repeated request', () => {
  it('gets the same answer and does nothing twice', async () => {
    const api = operator.api(notes)
    const input = { title: title() }
    const first = await api.create(input, { idempotencyKey: 'key-1' })
    const again = await api.create(input, { idempotencyKey: 'key-1' })
    expect(again).toEqual(first)
    expect(await rowsOf('select 1 from note where title = $1', [input.title])).toHaveLength(1)
  })

  it('with another body is refused', async () => {
    const api = operator.api(notes)
    await api.create({ title: title() }, { idempotencyKey: 'key-2' })
    const error = await refusal(api.create({ title: title() }, { idempotencyKey: 'key-2' }))
    expect(error).toMatchObject({ httpStatus: 422, code: 'request.idempotency_mismatch' })
  })

  it('sent at the same time waits for its twin', async () => {
    const api = operator.api(notes)
    const input = { title: title() }
    const all = await Promise.all(
      Array.from({ length: 6 }, () => api.create(input, { idempotencyKey: 'key-3' })),
    )
    expect(new Set(all.map((one) => one.id)).size).toBe(1)
  })

  it('that failed the first time is tried anew', async () => {
    const api = operator.api(notes)
    const input = { title: title() }
    const taken = await api.create(input)
    await refusal(api.create(input, { idempotencyKey: 'key-4' }))
    await rowsOf('delete from note where id = $1', [taken.id])
    await api.create(input, { idempotencyKey: 'key-4' })
  })

  it('of somebody else is another request', async () => {
    const other = await server.as('operator', 'second-operator')
    const mine = await operator.api(notes).create({ title: title() }, { idempotencyKey: 'key-5' })
    const theirs = await other.api(notes).create({ title: title() }, { idempotencyKey: 'key-5' })
    expect(theirs.id).not.toBe(mine.id)
  })
})

describe('access', () => {
  it('asks who is there, and tells a wrong token from none', async () => {
    expect(await refusal(server.anonymous.api(notes).list({}))).toMatchObject({
      httpStatus: 401,
      code: 'auth.required',
    })
    const wrong = { ...operator.transport, headers: () => ({ authorization: 'Bearer nonsense' }) }
    expect(await refusal(call(wrong, notes.list, {}))).toMatchObject({ httpStatus: 401, code: 'auth.ended' })
  })

  it('refuses what the rules do not hold, and hides the records of others', async () => {
    const { id } = await operator.api(notes).create({ title: title() })
    expect((await viewer.api(notes).get({ id })).id).toBe(id)
    expect(await refusal(viewer.api(notes).create({ title: title() }))).toMatchObject({ httpStatus: 403 })
    const other = await server.as('operator', 'second-operator')
    expect(await refusal(other.api(notes).get({ id }))).toMatchObject({ httpStatus: 404 })
    expect(await refusal(other.api(notes).update({ id, version: 1, title: 'x' }))).toMatchObject({
      httpStatus: 404,
    })
    const half = await server.withRules('half', [
      { action: 'VIEW', subject: 'PROJECT' },
      { action: 'UPDATE', subject: 'PROJECT', conditions: { ownerId: '${user.id}' } },
    ])
    expect(await refusal(half.api(notes).update({ id, version: 1, title: 'x' }))).toMatchObject({
      httpStatus: 403,
    })
    expect((await other.api(notes).list({ perPage: -1 })).data.some((row) => row.id === id)).toBe(false)
  })

  it('closes for maintenance, and for changes while read-only, but not to administrators', async () => {
    const admin = await server.as('administrator')
    const set = async (status: number) => {
      await rowsOf(
        `insert into setting (key, value) values ('systemStatus', $1::text::jsonb)
         on conflict (key) do update set value = excluded.value`,
        [String(status)],
      )
      await rowsOf(`select pg_notify('weft_settings', '')`)
      await expect.poll(() => server.deps.system.status()).toBe(status)
    }
    await set(2)
    await operator.api(notes).list({})
    expect(await refusal(operator.api(notes).create({ title: title() }))).toMatchObject({
      httpStatus: 503,
      code: 'system.read_only',
    })
    await set(0)
    const closed = await refusal(operator.api(notes).list({}))
    expect(closed).toMatchObject({ code: 'system.maintenance', retryAfterSeconds: 60 })
    await admin.api(notes).list({})
    await set(1)
    await operator.api(notes).list({})
  })
})

describe('bad input', () => {
  const json = { 'content-type': 'application/json' }

  it.each([
    [
      'another content type',
      { headers: { 'content-type': 'text/plain' }, body: '{}' },
      415,
      'request.unsupported_type',
    ],
    [
      'a form',
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'title=x' },
      415,
      'request.unsupported_type',
    ],
    [
      'bytes where JSON is due',
      { headers: { 'content-type': 'application/octet-stream' }, body: '{}' },
      415,
      'request.unsupported_type',
    ],
    ['broken JSON', { headers: json, body: '{"title":' }, 400, 'request.malformed'],
    ['an array', { headers: json, body: '[]' }, 400, 'request.malformed'],
    ['a prototype key', { headers: json, body: '{"__proto__":{"x":1}}' }, 400, 'request.malformed'],
    [
      'a constructor key deep down',
      { headers: json, body: '{"a":[{"constructor":1}]}' },
      400,
      'request.malformed',
    ],
    [
      'too deep a nesting',
      { headers: json, body: `${'['.repeat(40)}${']'.repeat(40)}` },
      400,
      'request.malformed',
    ],
    [
      'a huge body',
      { headers: json, body: JSON.stringify({ title: 'x'.repeat(1_100_000) }) },
      413,
      'request.too_large',
    ],
    ['an unknown key', { headers: json, body: '{"title":"a","admin":true}' }, 422, 'request.invalid'],
    ['nothing', { headers: json, body: '{}' }, 422, 'request.invalid'],
    [
      'a bad Idempotency-Key',
      { headers: { ...json, 'idempotency-key': 'x'.repeat(300) }, body: '{"title":"a"}' },
      400,
      'request.malformed',
    ],
  ])('%s is refused', async (_what, init, status, code) => {
    const response = await post(notes.create.path, init)
    expect(response.status).toBe(status)
    const body = (await response.json()) as { status: string; code: string; requestId: string }
    expect(body).toMatchObject({ status: 'Error', code })
    expect(body.requestId).toBe(response.headers.get('x-request-id'))
  })

  it('in a path, a query or a list is named by field', async () => {
    const api = operator.api(notes)
    expect((await refusal(api.get({ id: 'no-uuid' }))).body.errors).toMatchObject([
      { path: 'id', code: 'format' },
    ])
    expect((await refusal(api.list({ perPage: 7000 }))).body.errors).toMatchObject([
      { path: 'perPage', code: 'perPage' },
    ])
    expect((await refusal(api.list({ sortBy: 'password' as never }))).body.errors).toMatchObject([
      { path: 'sortBy', code: 'option' },
    ])
    const smuggled = await fetch(`${server.url}${notes.list.path}?page=1&admin=1`, {
      headers: { authorization: `Bearer ${operator.token}` },
    })
    expect(smuggled.status).toBe(422)
    const inQuery = await post(`${notes.create.path}?title=x`, { headers: json, body: '{"title":"y"}' })
    expect(inQuery.status).toBe(422)
  })

  it('at an unknown address is a 404 in the same form', async () => {
    const response = await fetch(`${server.url}/api-test/nothing`)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 'route.not_found' })
  })
})

describe('an answer', () => {
  it('holds nothing that the contract does not name', async () => {
    expect(await viewer.api(notes).leak({})).toEqual({ shown: 'yes' })
  })

  it('that breaks the contract is the server’s failure, and says nothing of why', async () => {
    const error = await refusal(viewer.api(notes).broken({}))
    expect(error).toMatchObject({ httpStatus: 500, code: 'system.failed' })
    expect(JSON.stringify(error.body)).not.toMatch(/expected|number|zod/i)
  })

  it('of a call carries the security headers and is not stored', async () => {
    const { headers } = await fetch(`${server.url}/api-internal/api/v1/system/system-config`)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  })

  it('may be a stream with a name', async () => {
    const response = await viewer.api(notes).lines({})
    expect(response.headers.get('content-disposition')).toBe(
      "attachment; filename*=UTF-8''Zeilen%20%C3%A9.txt",
    )
    expect((await response.text()).split('\n')).toHaveLength(1001)
  })

  it('that breaks in the middle of a stream is not taken for whole', async () => {
    const response = await viewer.api(notes).lines({ breakAt: 900 })
    await expect(response.text()).rejects.toThrow()
  })
})

describe('bytes', () => {
  const put = (body: BodyInit, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${notes.upload.path}?offset=3`, {
      method: 'PUT',
      body,
      headers: {
        authorization: `Bearer ${operator.token}`,
        'content-type': 'application/octet-stream',
        ...headers,
      },
    })

  it.each([[0], [10], [300_000], [1024 * 1024]])('of length %i arrive whole', async (size) => {
    const bytes = randomBytes(size)
    const response = await put(bytes)
    expect(await response.json()).toMatchObject({ data: { size } })
  })

  it('beyond the limit are refused, announced or not', async () => {
    expect((await put(randomBytes(1024 * 1024 + 1))).status).toBe(413)
    const status = await new Promise<number>((resolve, reject) => {
      const sent = httpRequest(
        `${server.url}${notes.upload.path}`,
        {
          method: 'PUT',
          headers: {
            authorization: `Bearer ${operator.token}`,
            'content-type': 'application/octet-stream',
            'transfer-encoding': 'chunked',
          },
        },
        (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
        },
      )
      sent.on('error', reject)
      for (let n = 0; n < 5; n++) sent.write(randomBytes(300_000))
      sent.end()
    })
    expect(status).toBe(413)
  })

  it('of another type are refused before they are read', async () => {
    expect((await put('{}', { 'content-type': 'application/json' })).status).toBe(415)
  })
})

describe('a list', () => {
  let other: TestPerson
  beforeAll(async () => {
    other = await server.as('operator', 'lister')
    await rowsOf(
      `insert into note (id, owner_id, title, created_at)
       select gen_random_uuid(), $1, 'row ' || lpad(n::text, 5, '0'), '2026-01-01'::timestamptz + make_interval(mins => n / 10)
       from generate_series(1, 2345) n`,
      [other.id],
    )
  })

  it('is paged, sorted with ties broken, and counted', async () => {
    const api = other.api(notes)
    const first = await api.list({ perPage: 20, sortBy: 'title' })
    expect(first).toMatchObject({ totalRecord: 2345, totalPage: 118 })
    expect(first.data[0]?.title).toBe('row 00001')
    expect((await api.list({ page: 118, perPage: 20, sortBy: 'title' })).data).toHaveLength(5)
    expect((await api.list({ page: -3, perPage: 5, sortBy: 'title', sortDesc: true })).data[0]?.title).toBe(
      'row 02345',
    )
    const pages = await Promise.all([1, 2, 3].map((page) => api.list({ page, perPage: 7 })))
    expect(new Set(pages.flatMap((page) => page.data.map((row) => row.id))).size).toBe(21)
  })

  it('finds every word, and takes signs as they are', async () => {
    const api = other.api(notes)
    expect((await api.list({ q: '0123 row' })).totalRecord).toBe(11)
    expect((await api.list({ q: '%' })).totalRecord).toBe(0)
    expect((await api.list({ q: 'row_0' })).totalRecord).toBe(0)
  })

  it('streams all rows, in order', async () => {
    const all = await other.api(notes).list({ perPage: -1, sortBy: 'title' })
    expect(all.data).toHaveLength(2345)
    expect(all).toMatchObject({ totalPage: 1, totalRecord: 2345 })
    expect(all.data.map((row) => row.title)).toEqual(all.data.map((row) => row.title).sort())
  })

  it('that nobody reads to its end lets go of its connection', async () => {
    for (let n = 0; n < 30; n++) {
      const controller = new AbortController()
      const response = await fetch(`${server.url}${notes.list.path}?perPage=-1`, {
        headers: { authorization: `Bearer ${other.token}` },
        signal: controller.signal,
      })
      await response.body?.getReader().read()
      controller.abort()
    }
    await expect.poll(() => server.deps.pool.totalCount - server.deps.pool.idleCount).toBeLessThan(3)
  })

  it('is estimated beyond the bound, and says so', async () => {
    await rowsOf(
      `insert into note (id, owner_id, title) select gen_random_uuid(), $1, 'many ' || n from generate_series(1, 101000) n`,
      [newId()],
    )
    await rowsOf('analyze note')
    const started = performance.now()
    const listed = await viewer.api(notes).list({})
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(listed.totalEstimated).toBe(true)
    expect(Math.abs(listed.totalRecord - 103_400) / 103_400).toBeLessThan(0.1)
  })
})
