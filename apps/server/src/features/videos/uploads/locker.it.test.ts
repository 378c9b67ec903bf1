import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import { UploadLocker } from './locker.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const never = new AbortController().signal

it('lets one of several server processes write an upload, and asks it to let go for the next', async () => {
  const { deps } = server
  const [first, second] = [new UploadLocker(deps).newLock('film'), new UploadLocker(deps).newLock('film')]
  const other = new UploadLocker(deps).newLock('another film')
  let asked = 0
  await first.lock(never, () => void (asked += 1))
  await other.lock(never, () => undefined)
  const order: string[] = []
  const next = second.lock(never, () => undefined).then(() => order.push('second'))
  await expect.poll(() => asked).toBeGreaterThan(0)
  await delay(150)
  order.push('first lets go')
  await first.unlock()
  await next
  expect(order).toEqual(['first lets go', 'second'])
  await second.unlock()
  await other.unlock()
  await expect
    .poll(async () => (await deps.db.execute(sql`select 1 from pg_locks where locktype = 'advisory'`)).rows)
    .toEqual([])
})

it('does so within one process too, and stops waiting with whoever waits', async () => {
  const locker = new UploadLocker(server.deps)
  const first = locker.newLock('film')
  let asked = 0
  await first.lock(never, () => void (asked += 1))
  const gone = new AbortController()
  const waiting = locker.newLock('film').lock(gone.signal, () => undefined)
  await expect.poll(() => asked).toBeGreaterThan(0)
  gone.abort()
  await expect(waiting).rejects.toMatchObject({ status_code: expect.any(Number) })
  await first.unlock()
})
