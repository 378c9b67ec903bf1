import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { access } from '@weft/contract/access/api'
import { wholeSignIn } from '@weft/contract/access/schema'
import { clientOf } from '@weft/contract/core/client'
import { proxies } from '@weft/contract/proxies/api'
import { system } from '@weft/contract/system/api'
import { testDatabase, testFolder, type TestDatabase } from '../../../testing/cluster.ts'
import { PROGRAM_ADMIN, programOn, type Program } from '../../../testing/program.ts'
import { httpProxy, type Running } from '../../../testing/proxy-servers.ts'

let database: TestDatabase
let folder: Awaited<ReturnType<typeof testFolder>>
let program: Program
let slow: Running

beforeAll(async () => {
  database = await testDatabase()
  folder = await testFolder()
  slow = await httpProxy({ delayMs: 1_500 })
  program = await programOn(database, folder.path)
})
afterAll(async () => {
  await program.end('SIGTERM')
  await slow.stop()
  await database.drop()
  await folder.remove()
})

async function signedIn() {
  const { token } = wholeSignIn(
    await clientOf({ baseUrl: program.url }, access).login({ ...PROGRAM_ADMIN, remember: false }),
  )
  const transport = { baseUrl: program.url, headers: () => ({ authorization: `Bearer ${token}` }) }
  return { proxies: clientOf(transport, proxies), system: clientOf(transport, system) }
}

it('goes on after the server was killed in the middle of a check, by its own check address', async () => {
  const before = await signedIn()
  await before.system.saveSettings({
    changes: [{ key: 'proxyPrivateNetworks', value: '127.0.0.1/32', version: 0 }],
  })
  for (let n = 0; n < 5; n += 1)
    await before.proxies.create({ protocol: 'http', host: '127.0.0.1', port: slow.port, username: `u${n}` })
  const { id } = await before.proxies.check({ selection: { query: {} } })
  await expect.poll(async () => (await before.proxies.list({ status: 'unverified' })).totalRecord).toBe(5)
  await program.end('SIGKILL')
  // A minute goes by: nobody can have those any more that the dead process had taken.
  const db = drizzle(database.url)
  await db.execute(sql`update proxy_due set due_at = due_at - interval '61 seconds'`)
  await db.$client.end()
  program = await programOn(database, folder.path)
  const after = await signedIn()
  await expect
    .poll(() => after.proxies.checking({}))
    .toMatchObject({ id, total: 5, done: 5, good: 5, bad: 0, finishedAt: expect.any(String) })
  // The server's own /check told what address it saw.
  expect((await after.proxies.list({ status: 'healthy' })).data.map(({ exitIp }) => exitIp)).toEqual(
    Array.from({ length: 5 }, () => '127.0.0.1'),
  )
})
