import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { access } from '@weft/contract/access/api'
import { agents } from '@weft/contract/agents/api'
import { projects } from '@weft/contract/projects/api'
import { system } from '@weft/contract/system/api'
import { CallError } from '@weft/contract/core/client'
import { refusal, testBrowser } from '../../testing/browser.ts'
import { testDatabase, testFolder } from '../../testing/cluster.ts'
import { TEST_PASSWORD, type TestPerson } from '../../testing/people.ts'
import { programOn } from '../../testing/program.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let admin: TestPerson
let operator: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.as('administrator')
  operator = await server.as('operator')
})
afterAll(() => server.stop())
afterEach(() => admin.api(system).endMaintenance({}))

const config = () => server.anonymous.api(system).config({})
const at = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()
const reaches = (status: number) => expect.poll(async () => (await config()).systemStatus).toBe(status)

/** What a call comes to: its code, or that it was answered. */
async function outcome(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'answered'
  } catch (error) {
    if (error instanceof CallError) return `${error.httpStatus} ${error.code}`
    throw error
  }
}

describe('each status', () => {
  const READ_ONLY = '503 system.read_only'
  const CLOSED = '503 system.maintenance'
  const walk = async () => {
    const browser = testBrowser(server.url)
    const project = (by: TestPerson) => by.api(projects).create({ name: `P ${Math.random()}` })
    return {
      config: await outcome(config()),
      signIn: await outcome(browser.signIn('operator', TEST_PASSWORD)),
      who: await outcome(browser.api(access).info({})),
      refresh: await outcome(browser.api(access).refresh({})),
      signOut: await outcome(browser.api(access).logout({})),
      read: await outcome(operator.api(projects).list({})),
      change: await outcome(project(operator)),
      administratorReads: await outcome(admin.api(projects).list({})),
      administratorChanges: await outcome(project(admin)),
      agent: await outcome(server.anonymous.api(agents).challenge({ clientKey: 'nobody' } as never)),
    }
  }
  const OPEN = {
    config: 'answered',
    signIn: 'answered',
    who: 'answered',
    refresh: 'answered',
    signOut: 'answered',
    administratorReads: 'answered',
    administratorChanges: 'answered',
  }

  it.each([
    [2, { ...OPEN, read: 'answered', change: READ_ONLY }],
    [3, { ...OPEN, read: CLOSED, change: CLOSED }],
  ] as const)('%i lets through what it should, and nothing else', async (status, expected) => {
    const open = await walk()
    expect(open).toMatchObject({ ...OPEN, read: 'answered', change: 'answered' })
    expect(open.agent).not.toMatch(/^503/)
    await admin.api(system).beginMaintenance({ status })
    await expect.poll(() => server.deps.system.status()).toBe(status)
    const closed = await walk()
    expect(closed).toMatchObject(expected)
    expect(closed.agent).toBe(open.agent)
  })

  it('tells callers when to come back: at its end, where that is known', async () => {
    await admin.api(system).beginMaintenance({ status: 3 })
    await reaches(3)
    expect((await refusal(operator.api(projects).list({}))).retryAfterSeconds).toBe(60)
    await admin.api(system).beginMaintenance({ status: 3, until: at(600), note: 'New disks' })
    await expect
      .poll(async () => (await refusal(operator.api(projects).list({}))).retryAfterSeconds)
      .toBeGreaterThan(590)
    expect((await config()).maintenance).toMatchObject({ note: 'New disks', planned: null })
    await admin.api(system).endMaintenance({})
    await expect
      .poll(async () => (await config()).maintenance)
      .toEqual({ note: '', until: null, planned: null })
  })
})

describe('a planned maintenance', () => {
  const told = async () =>
    (
      await server.deps.pool.query(
        `select 1 from notification where user_id = $1 and kind = 'maintenance.announced' and read_at is null`,
        [operator.id],
      )
    ).rowCount

  it('is told to everybody and begins by itself, once', async () => {
    const planned = await admin
      .api(system)
      .beginMaintenance({ status: 2, at: at(1.5), note: 'Upgrade', until: at(900) })
    expect(planned).toMatchObject({ status: 1, takesNewRuns: false, runsUnderWay: 0 })
    await expect
      .poll(async () => (await config()).maintenance)
      .toMatchObject({ note: 'Upgrade', planned: { status: 2 } })
    await reaches(2)
    expect((await config()).maintenance.planned).toBeNull()
    const { rows } = await server.deps.pool.query(
      `select actor_name, after->>'systemStatus' as status from audit
       where label = 'maintenance.begin' and actor_id is null`,
    )
    expect(rows).toEqual([{ actor_name: 'maintenance', status: '2' }])
    expect(await told()).toBe(1)
  })

  it('holds new runs back only from its drain on', async () => {
    await admin.api(system).beginMaintenance({ status: 3, at: at(600), drainFrom: at(3) })
    expect(await admin.api(system).maintenance({})).toMatchObject({ takesNewRuns: true })
    await expect.poll(() => server.deps.system.takesNewRuns()).toBe(false)
    expect(await admin.api(system).cancelMaintenance({})).toMatchObject({ planned: null, takesNewRuns: true })
    // What is not going to be is announced to nobody any more.
    expect(await told()).toBe(0)
    expect((await refusal(admin.api(system).cancelMaintenance({}))).code).toBe('system.not_planned')
  })

  it('is refused with times that make no sense', async () => {
    const begin = async (times: object) => {
      const error = await refusal(admin.api(system).beginMaintenance({ status: 3, ...times }))
      return [error.httpStatus, error.body.errors?.map(({ path, code }) => `${path} ${code}`)]
    }
    expect(await begin({ at: at(-5) })).toEqual([422, ['at system.in_past']])
    expect(await begin({ at: at(60), drainFrom: at(90) })).toEqual([
      422,
      ['drainFrom system.drain_after_start'],
    ])
    expect(await begin({ at: at(60), until: at(30) })).toEqual([422, ['until system.until_before_start']])
    expect((await refusal(admin.api(system).beginMaintenance({ status: 4 as never }))).httpStatus).toBe(422)
    const by = operator.api(system)
    for (const call of [
      () => by.beginMaintenance({ status: 3 }),
      () => by.endMaintenance({}),
      () => by.maintenance({}),
    ])
      expect((await refusal(call())).code).toBe('access.denied')
  })

  it('begins also when the server was killed in between and comes back late', async () => {
    const database = await testDatabase()
    const folder = await testFolder()
    await using near = await startTestServer({ database, settings: { roles: new Set(['web']) } })
    const first = await programOn(database, folder.path)
    const by = await near.as('administrator')
    await by.api(system).beginMaintenance({ status: 3, at: at(3) })
    await first.end('SIGKILL')
    await delay(3_500)
    // A process that does not schedule leaves it alone.
    expect((await near.anonymous.api(system).config({})).systemStatus).toBe(1)
    const both = await Promise.all([
      programOn(database, folder.path),
      programOn(database, (await testFolder()).path),
    ])
    await expect.poll(async () => (await near.anonymous.api(system).config({})).systemStatus).toBe(3)
    const { rows } = await near.deps.pool.query(
      `select 1 from audit where label = 'maintenance.begin' and actor_id is null`,
    )
    expect(rows).toHaveLength(1)
    await Promise.all(both.map((program) => program.end('SIGTERM')))
    await folder.remove()
  })
})
