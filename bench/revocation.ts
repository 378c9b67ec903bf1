import { setTimeout as sleep } from 'node:timers/promises'
import { HubConnectionBuilder, LogLevel, type HubConnection } from '@microsoft/signalr'
import { access, recovery, tokens } from '@weft/contract/access/api'
import { wholeSignIn } from '@weft/contract/access/schema'
import { clientOf, type Transport } from '@weft/contract/core/client'
import { users } from '@weft/contract/users/api'
import { BenchServer, median, report, type BenchRow } from './support/server.ts'

const PER_KIND = 25
const LIMIT_MS = 5_000
const PASSWORD = 'a password for the bench'

/** Somebody who is in, with an open hub connection. */
interface Person {
  id: string
  token: string
  hub: HubConnection
  closed: Promise<number>
}

type Admin = Awaited<ReturnType<typeof administrator>>

async function administrator(server: BenchServer) {
  const { transport } = await server.signIn()
  return { users: clientOf(transport, users), access: clientOf(transport, access) }
}

const withToken = (server: BenchServer, token: string): Transport => ({
  baseUrl: server.url,
  headers: () => ({ authorization: `Bearer ${token}` }),
})

async function come(server: BenchServer, admin: Admin, username: string): Promise<Person> {
  const { user, link } = await admin.users.create({ username, roles: ['operator'] })
  const secret = new URLSearchParams(new URL(link.url).hash.slice(1)).get('token') ?? ''
  await clientOf({ baseUrl: server.url }, recovery).reset({
    token: secret,
    newPassword: PASSWORD,
    confirmPassword: PASSWORD,
  })
  const answer = await clientOf({ baseUrl: server.url }, access).login({ username, password: PASSWORD })
  const { token } = wholeSignIn(answer)
  const hub = new HubConnectionBuilder()
    .withUrl(`${server.url}/hub`, { accessTokenFactory: () => token })
    .configureLogging(LogLevel.None)
    .build()
  const closed = new Promise<number>((resolve) => hub.onclose(() => resolve(performance.now())))
  await hub.start()
  return { id: user.id, token, hub, closed }
}

/** The status of a call that the person could make before. */
async function statusOf(server: BenchServer, token: string): Promise<number> {
  const answer = await fetch(`${server.url}/api-campaign/api/v1/campaign/list`, {
    headers: { authorization: `Bearer ${token}` },
  })
  await answer.arrayBuffer()
  return answer.status
}

/** Milliseconds from `begun` until calls are refused; infinite when they are not within the limit. */
async function refusedAfter(server: BenchServer, token: string, begun: number): Promise<number> {
  while (performance.now() - begun <= LIMIT_MS) {
    const status = await statusOf(server, token)
    if (status === 401 || status === 403) return performance.now() - begun
    await sleep(10)
  }
  return Infinity
}

async function closedAfter(person: Person, begun: number): Promise<number> {
  const at = await Promise.race([person.closed, sleep(LIMIT_MS, Infinity)])
  return at - begun
}

/** Each way to take somebody's access away. */
const KINDS: Record<string, (admin: Admin, person: Person) => Promise<unknown>> = {
  'session ended': (admin, { id }) => admin.access.endSessionsOf({ id }),
  'person suspended': (admin, { id }) => admin.users.suspend({ id }),
  'role taken': async (admin, { id }) => {
    const { version } = await admin.users.get({ id })
    await admin.users.update({ id, version, roles: [] })
  },
}

async function byToken(server: BenchServer, admin: Admin): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < PER_KIND; n += 1) {
    const person = await come(server, admin, `token-${n}`)
    const own = clientOf(withToken(server, person.token), tokens)
    const made = await own.create({
      name: 'bench',
      days: 1,
      scopes: [{ subject: 'CAMPAIGN', actions: ['VIEW'] }],
    })
    if ((await statusOf(server, made.secret)) !== 200) throw new Error('the API token lets nobody in')
    const begun = performance.now()
    await own.remove({ id: made.token.id })
    times.push(await refusedAfter(server, made.secret, begun))
    await person.hub.stop()
  }
  return times
}

const rowsOf = (name: string, times: readonly number[]): BenchRow[] => {
  const good = times.filter((time) => time <= LIMIT_MS).length
  return [
    {
      name: `${name}: within 5 s`,
      value: good,
      unit: `of ${times.length}`,
      bar: 'all',
      ok: good === times.length,
    },
    {
      name: `${name}: median, ${Math.max(...times).toFixed(0)} ms at most`,
      value: median(times),
      unit: 'ms',
      bar: '',
      ok: true,
    },
  ]
}

/** How soon somebody is out, on HTTP and on an open hub connection, in each way to take their access away. */
export async function run(): Promise<BenchRow[]> {
  const server = await BenchServer.start()
  try {
    const admin = await administrator(server)
    const rows = rowsOf('API token revoked, HTTP', await byToken(server, admin))
    for (const [name, take] of Object.entries(KINDS)) {
      const http: number[] = []
      const hub: number[] = []
      for (let n = 0; n < PER_KIND; n += 1) {
        const person = await come(server, admin, `${name.replaceAll(' ', '-')}-${n}`)
        if ((await statusOf(server, person.token)) !== 200) throw new Error('the person is not in')
        const begun = performance.now()
        const [, refused, closed] = await Promise.all([
          take(admin, person),
          refusedAfter(server, person.token, begun),
          closedAfter(person, begun),
        ])
        http.push(refused)
        hub.push(closed)
        await person.hub.stop()
      }
      rows.push(...rowsOf(`${name}, HTTP`, http), ...rowsOf(`${name}, hub`, hub))
    }
    return rows
  } finally {
    await server.stop()
  }
}

if (import.meta.main) process.exitCode = report(await run()) ? 0 : 1
