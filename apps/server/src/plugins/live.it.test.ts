import { HubConnectionBuilder, HttpTransportType, LogLevel, type HubConnection } from '@microsoft/signalr'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { access } from '@weft/contract/access/api'
import { users } from '@weft/contract/users/api'
import { views } from '@weft/contract/views/api'
import { changesResult, type ChangeEvent, type HubEnvelope } from '@weft/contract/core/events'
import { newId } from '../kit/id.ts'
import { systemActor, transact } from '../kit/work.ts'
import { event } from '../kit/tables.ts'
import { makeNoteTable, note, notes, notesFeature } from '../testing/notes.ts'
import type { TestPerson } from '../testing/people.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let second: TestServer

beforeAll(async () => {
  const settings = { databaseUrl: 'postgres://shared' }
  server = await startTestServer({ more: [notesFeature], settings })
  await makeNoteTable(server.deps.db)
  second = await startTestServer({ more: [notesFeature], settings, database: server.database })
})
afterAll(async () => {
  await second.stop()
  await server.stop()
})

const open: HubConnection[] = []
afterEach(async () => {
  for (const connection of open.splice(0)) await connection.stop()
})

/** An open page of somebody: what it was sent, and the way to ask. */
async function page(person: TestPerson, at = server) {
  const connection = new HubConnectionBuilder()
    .withUrl(`${at.url}/hub`, {
      accessTokenFactory: () => person.token,
      transport: HttpTransportType.WebSockets,
    })
    .configureLogging(LogLevel.None)
    .build()
  const received: HubEnvelope[] = []
  connection.on('send', (envelope: HubEnvelope) => received.push(envelope))
  let closed: Error | undefined | 'open' = 'open'
  connection.onclose((error) => {
    closed = error
  })
  await connection.start()
  open.push(connection)
  const changes = async (after: number) => changesResult.parse(await connection.invoke('Changes', { after }))
  return { connection, received, changes, isOpen: () => closed === 'open' }
}

const told = (received: readonly HubEnvelope[]) =>
  received.filter(({ method }) => method === 'recordChanged').map(({ message }) => message as ChangeEvent)

const title = () => `note ${newId()}`

describe('an open page', () => {
  it('pings', async () => {
    const { connection, received } = await page(await server.as('viewer'))
    expect(await connection.invoke('PingPong', 'Ping')).toBe('Pong')
    expect(received).toEqual([{ method: 'pingPong', message: 'Pong' }])
  })

  it('is told of changes that its person may see, in whichever process they were made', async () => {
    const mine = await server.as('operator', 'mine')
    const other = await server.as('operator', 'other')
    const pages = await Promise.all([
      page(mine),
      page(mine, second),
      page(other),
      page(await server.as('viewer')),
    ])
    const [here, there, foreign, viewer] = pages
    const { id } = await mine.api(notes).create({ title: title() })
    for (const one of [here, there, viewer])
      await expect
        .poll(() => told(one.received))
        .toMatchObject([{ feature: 'projects', id, kind: 'created' }])
    await mine.api(notes).update({ id, version: 1, title: title() })
    await expect.poll(() => told(here.received).map((change) => change.kind)).toEqual(['created', 'updated'])
    expect(told(foreign.received)).toEqual([])
  })

  it('asks after a lost connection for what it missed, and gets no more than it may see', async () => {
    const mine = await server.as('operator', 'mine')
    const other = await server.as('operator', 'other')
    const first = await page(mine)
    const before = await first.changes(0)
    await first.connection.stop()
    const { id } = await mine.api(notes).create({ title: title() })
    await other.api(notes).create({ title: title() })
    const again = await page(mine)
    await expect
      .poll(async () => (await again.changes(before.latest)).events)
      .toMatchObject([{ feature: 'projects', id, kind: 'created' }])
    const { latest } = await again.changes(before.latest)
    expect(await again.changes(latest)).toMatchObject({ events: [], tooOld: false })
    expect(await again.changes(latest + 1_000_000)).toMatchObject({ tooOld: true })
  })

  it('watches the log of what its person may see, from any process', async () => {
    const admin = await server.as('administrator')
    const id = newId()
    const { connection, received } = await page(admin, second)
    await expect(connection.invoke('Watch', { feature: 'campaigns', id })).rejects.toThrow('record.not_found')
    await server.deps.db.execute(sql`
      insert into campaign (id, owner_id, code, title, type, pairing, schedule, pacing, errors)
      values (${id}, ${admin.id}, 'C1', 'One', 'custom', '{}', '{}', '{}', '{}')`)
    await connection.invoke('Watch', { feature: 'campaigns', id })
    const line = { at: new Date().toISOString(), level: 'info', stepId: null, text: 'hello' }
    const message = { runId: newId(), campaignId: id, lines: [line] }
    server.deps.live.runLog(message)
    await expect.poll(() => received).toEqual([{ method: 'runLog', message }])
    await connection.invoke('Unwatch', { feature: 'campaigns', id })
    server.deps.live.runLog(message)
    await connection.invoke('PingPong', 'Ping')
    expect(received.filter(({ method }) => method === 'runLog')).toHaveLength(1)
  })

  it('hears of its person’s test runs, from any process, and of nobody else’s', async () => {
    const mine = await server.as('operator', 'tester')
    const [here, there, other] = [
      await page(mine),
      await page(mine, second),
      await page(await server.as('viewer')),
    ]
    const message = { runId: newId(), workflowId: newId(), lines: [], steps: [], ended: true }
    server.deps.live.testRun(mine.id, message)
    for (const { received } of [here, there])
      await expect.poll(() => received).toEqual([{ method: 'testWorkflowLog', message }])
    await other.connection.invoke('PingPong', 'Ping')
    expect(other.received.map(({ method }) => method)).toEqual(['pingPong'])
  })

  it('closes for good when its session ends, also in another process', async () => {
    const person = await server.as('operator', 'leaving')
    const { isOpen } = await page(person, second)
    const begun = performance.now()
    await server.deps.db.execute(sql`update session set ended_at = now() where user_id = ${person.id}`)
    await server.deps.db.execute(sql`select pg_notify('weft_identity', '')`)
    await expect.poll(isOpen, { timeout: 5_000 }).toBe(false)
    expect(performance.now() - begun).toBeLessThan(5_000)
  })

  it('is cut within five seconds of the suspension of its person, whose calls are refused by then', async () => {
    const person = await server.as('operator', 'suspended')
    const admin = (await server.as('administrator')).api(users)
    const { isOpen } = await page(person, second)
    const status = async () => {
      const headers = { authorization: `Bearer ${person.token}` }
      return (await fetch(second.url + access.info.path, { headers })).status
    }
    expect(await status()).toBe(200)
    const begun = performance.now()
    await admin.suspend({ id: person.id })
    await expect.poll(status, { timeout: 5_000, interval: 20 }).toBe(401)
    await expect.poll(isOpen, { timeout: 5_000, interval: 20 }).toBe(false)
    expect(performance.now() - begun).toBeLessThan(5_000)
  })

  it('stays open when its person merely takes another name', async () => {
    const person = await server.as('operator', 'renamed')
    const { connection, isOpen } = await page(person)
    const { version } = await person.api(users).profile({})
    await person.api(users).updateProfile({ version, displayName: 'Somebody else' })
    await server.deps.db.execute(sql`select pg_notify('weft_identity', '')`)
    await new Promise((resolve) => setTimeout(resolve, 300))
    await connection.invoke('PingPong', 'Ping')
    expect(isOpen()).toBe(true)
  })

  it('comes back with other rights when its person’s role changes', async () => {
    const person = await server.as('operator', 'promoted')
    const { isOpen, received } = await page(person)
    await server.deps.db.execute(sql`
      update user_role set role_id = (select id from role where key = 'viewer') where user_id = ${person.id}`)
    await server.deps.db.execute(sql`select pg_notify('weft_identity', '')`)
    await expect.poll(isOpen).toBe(false)
    expect(received.map(({ method }) => method)).toEqual(['userChanged'])
    expect((await person.api(access).info({})).user.roles).toEqual(['viewer'])
    expect((await page(person)).isOpen()).toBe(true)
  })

  it('is not let in without a token', async () => {
    await expect(page({ ...(await server.as('viewer')), token: 'nonsense' })).rejects.toThrow('401')
  })
})

describe('events', () => {
  it('are numbered so that a reader who follows misses none, whatever order they are committed in', async () => {
    const seen: number[] = []
    let last = (await server.deps.db.select().from(event)).at(-1)?.seq ?? 0
    const writing = new AbortController()
    const reader = (async () => {
      for (let idle = 0; !writing.signal.aborted || idle < 30;) {
        const rows = await server.deps.db.execute<{ seq: string; record_id: string }>(
          sql`select seq, record_id from event where seq > ${last} and feature = 'imports' order by seq`,
        )
        idle = rows.rows.length === 0 ? idle + 1 : 0
        for (const row of rows.rows) {
          seen.push(Number(row.record_id))
          last = Number(row.seq)
        }
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
    })()
    const from = [server, second]
    await Promise.all(
      Array.from({ length: 300 }, async (_, n) => {
        const { deps } = from[n % 2] ?? server
        await transact(deps, systemActor('test'), async (work) => {
          work.event({ feature: 'imports', id: String(n), kind: 'updated' })
          await work.tx.execute(sql`select pg_sleep(${(n % 7) / 1000})`)
        })
      }),
    )
    await expect.poll(() => seen.length).toBeGreaterThanOrEqual(300)
    writing.abort()
    await reader
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, n) => n))
  })

  it('of progress are told a few times a second at most', async () => {
    const id = newId()
    const begun = performance.now()
    for (let n = 0; n < 100; n++) {
      server.deps.live.progress({ feature: 'campaigns', id, kind: 'progress' })
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
    const quarters = (performance.now() - begun) / 250
    const { rows } = await server.deps.db.execute(sql`select 1 from event where record_id = ${id}`)
    expect(rows.length).toBeGreaterThan(0)
    // A busy machine takes longer over it; in each quarter of a second it is told once at most.
    expect(rows.length).toBeLessThanOrEqual(Math.ceil(quarters))
  })

  it('of a shared view that is deleted or kept for oneself again reach those who used it', async () => {
    const mine = (await server.as('operator', 'mine')).api(views)
    const { received } = await page(await server.as('operator', 'other'))
    const state = { q: '', filters: {}, sortBy: null, sortDesc: false, perPage: 25, columns: null }
    const make = (name: string, shared: boolean) =>
      mine.create({ list: 'accounts.list', name, shared, state })
    const [hidden, removed, own] = [
      await make('hidden', true),
      await make('removed', true),
      await make('own', false),
    ]
    await mine.remove({ id: own.id })
    await mine.update({ id: hidden.id, shared: false })
    const gone = () => told(received).filter(({ feature, id }) => feature === 'views' && id === 'shared')
    await expect.poll(() => gone().length).toBe(1)
    await mine.remove({ id: removed.id })
    await expect.poll(() => gone().length).toBe(2)
  })

  it('of a removed record still reach its owner', async () => {
    const mine = await server.as('operator', 'mine')
    const { received } = await page(mine)
    const id = newId()
    await transact(server.deps, systemActor('test'), async (work) => {
      await work.tx.delete(note).where(sql`false`)
      work.event({ feature: 'projects', id, kind: 'deleted', ownerId: mine.id })
    })
    await expect.poll(() => told(received)).toMatchObject([{ id, kind: 'deleted' }])
  })
})
