import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { access } from '@weft/contract/access/api'
import { wholeSignIn } from '@weft/contract/access/schema'
import { accounts } from '@weft/contract/accounts/api'
import { clients } from '@weft/contract/clients/api'
import { clientOf } from '@weft/contract/core/client'
import { files } from '@weft/contract/files/api'
import { projects } from '@weft/contract/projects/api'
import { clientConfig } from '../db/connection.ts'
import { joinAgent } from '../testing/agent.ts'
import { TEST_KEY, testDatabase, testFolder, type TestDatabase } from '../testing/cluster.ts'
import { PROGRAM_ADMIN, programOn, type Program } from '../testing/program.ts'

/** Who waits for a lock that somebody else has. */
const WAITING = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

let database: TestDatabase
let folder: Awaited<ReturnType<typeof testFolder>>
let program: Program
let token: string

beforeAll(async () => {
  database = await testDatabase()
  folder = await testFolder()
  program = await programOn(database, folder.path, { WEFT_LOG_LEVEL: 'trace' })
})
afterAll(async () => {
  await program.end('SIGKILL')
  await database.drop()
  await folder.remove()
})

const transport = () => ({
  baseUrl: program.url,
  headers: () => ({ authorization: `Bearer ${token}` }),
})

/** An open page over one of the transports; tells how it ended. */
async function openPage(by: HttpTransportType) {
  const connection = new HubConnectionBuilder()
    .withUrl(`${program.url}/hub`, { accessTokenFactory: () => token, transport: by })
    .configureLogging(LogLevel.None)
    .build()
  const closed = new Promise<void>((resolve) => connection.onclose(() => resolve()))
  await connection.start()
  return { closed }
}

it('logs what happens, at its most talkative, without any secret', async () => {
  const open = clientOf({ baseUrl: program.url }, access)
  const signedIn = wholeSignIn(await open.login(PROGRAM_ADMIN))
  token = signedIn.token
  await expect(open.login({ ...PROGRAM_ADMIN, password: 'wrong-secret-word' })).rejects.toThrow()
  const account = { type: 'other', username: 'someone', password: 'account-secret', ownership: null } as const
  await clientOf(transport(), accounts).create(account)
  await fetch(`${program.url}/hub?id=x&access_token=${token}`)
  await fetch(`${program.url}${projects.list.path}?q=search-secret`, {
    headers: { authorization: `Bearer ${token}` },
  })
  await fetch(`${program.url}${projects.create.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"name":"body-secret"',
  })
  await expect.poll(() => program.err).toContain('"call":"access.login"')
  for (const secret of [
    PROGRAM_ADMIN.password,
    token,
    'wrong-secret-word',
    'account-secret',
    'search-secret',
    'body-secret',
    TEST_KEY.toString('base64'),
    database.url,
  ])
    expect(program.err.includes(secret)).toBe(false)
})

it('stops within ten seconds whoever is still there: pages are sent away, a call is answered, a hanger-on is cut off', async () => {
  const pages = [
    openPage(HttpTransportType.WebSockets),
    openPage(HttpTransportType.ServerSentEvents),
    openPage(HttpTransportType.LongPolling),
  ]
  const open = await Promise.all(pages)
  const { code } = await clientOf(transport(), clients).joinCode({ maxSlots: 1 })
  const agent = await joinAgent(program.url, code)
  const agentGone = new Promise<void>((resolve) => agent.stream.onclose(() => resolve()))

  // An upload that never comes to its end.
  const upload = request(`${program.url}${files.upload.path}?name=x.csv`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/octet-stream',
      'content-length': '100000',
    },
  })
  const cut = new Promise<void>((resolve) => upload.once('close', () => resolve()))
  upload.on('error', () => {})
  upload.write('half')

  // A change that waits for a row that somebody else holds a little longer.
  const { id, version } = await clientOf(transport(), projects).create({ name: 'before' })
  const holder = new Client(clientConfig(database.address))
  await holder.connect()
  await holder.query('begin')
  await holder.query('select 1 from project where id = $1 for update', [id])
  const update = clientOf(transport(), projects).update({ id, version, name: 'after' })
  await expect.poll(async () => (await holder.query(WAITING)).rowCount).toBe(1)

  const ended = program.end('SIGTERM')
  await delay(700)
  await holder.query('commit')
  await holder.end()
  expect(await update).toMatchObject({ name: 'after' })
  const { code: exit, ms } = await ended
  expect(exit).toBe(0)
  expect(ms).toBeLessThan(10_000)
  await Promise.all([...open.map(({ closed }) => closed), agentGone, cut])
  expect(program.err).not.toContain('did not end well')
  expect(program.err).not.toContain('stopping took too long')
})
