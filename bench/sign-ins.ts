import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { addressOf, trySignIn } from './support/flood.ts'
import { ADMIN, BenchServer, median, report, type BenchRow } from './support/server.ts'

const ADDRESSES = 200
const EACH = 50
/** A quarter of the crowd knows the owner's name. */
const NAMES = [ADMIN.username, 'root', 'admin', 'somebody']
const IDLE_CALLS = 400
const TRIES = 200
const OWNER_EVERY_MS = 1_500
/** From so many addresses that none is made to wait. */
const TRIES_PER_ADDRESS = 4

const answersSchema = z.record(z.string(), z.number())

/** Calls of people who are signed in already, one after the other until told to stop; their times in milliseconds. */
async function callsWhile(server: BenchServer, token: string, goesOn: (made: number) => boolean) {
  const times: number[] = []
  while (goesOn(times.length)) {
    const begun = performance.now()
    const answer = await fetch(`${server.url}/api-user/api/v1/user/get-info`, {
      headers: { authorization: `Bearer ${token}` },
    })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`a call was answered with ${answer.status}`)
    times.push(performance.now() - begun)
    await sleep(40)
  }
  return times
}

const p99 = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN

/** The owner comes back in from a place of their own while the crowd is at the door. */
async function ownerSignsIn(server: BenchServer, goesOn: () => boolean) {
  const took: number[] = []
  let refused = 0
  while (goesOn()) {
    const begun = performance.now()
    const { status } = await trySignIn(server.port, '127.9.9.9', ADMIN)
    if (status === 200) took.push(performance.now() - begun)
    else refused += 1
    await sleep(OWNER_EVERY_MS)
  }
  return { took, refused }
}

async function underFlood(server: BenchServer, token: string): Promise<BenchRow[]> {
  const idle = p99(await callsWhile(server, token, (made) => made < IDLE_CALLS))
  const crowd = fork(join(import.meta.dirname, 'support/flood.ts'))
  const begun = performance.now()
  let over = false
  const ended = once(crowd, 'message').then(([answers]) => {
    over = true
    return answersSchema.parse(answers)
  })
  crowd.send({ port: server.port, addresses: ADDRESSES, each: EACH, names: NAMES })
  const [times, owner, answers] = await Promise.all([
    callsWhile(server, token, () => !over),
    ownerSignsIn(server, () => !over),
    ended,
  ])
  const seconds = (performance.now() - begun) / 1000
  const count = (key: string) => answers[key] ?? 0
  const looked = count('401 auth.wrong_credentials')
  const all = Object.values(answers).reduce((sum, n) => sum + n, 0)
  const refused = all - looked
  const busy = p99(times)
  console.log(`  answers in ${seconds.toFixed(1)} s: ${JSON.stringify(answers)}`)
  const row = (name: string, value: number, unit: string, bar = '', ok = true): BenchRow => ({
    name,
    value,
    unit,
    bar,
    ok,
  })
  return [
    row(
      `sign-ins tried from ${ADDRESSES} addresses`,
      all,
      '',
      `= ${ADDRESSES * EACH}`,
      all === ADDRESSES * EACH,
    ),
    row('passwords that were looked at', looked, '', `≤ ${ADDRESSES * 20}`, looked <= ADDRESSES * 20),
    row('refused without a look', refused, ''),
    row('let in', count('200 '), '', '= 0', count('200 ') === 0),
    row('owner signed in meanwhile', owner.took.length, 'times', '> 0', owner.took.length > 0),
    row('owner refused meanwhile', owner.refused, 'times', '= 0', owner.refused === 0),
    row('owner waited, median', median(owner.took), 'ms'),
    row('other calls, p99, idle', idle, 'ms'),
    row('other calls, p99, meanwhile', busy, 'ms'),
    row('ratio', busy / idle, '×', '≤ 2', busy <= 2 * idle),
  ]
}

/** Whether the time of a refusal tells that a name exists: 200 each, in turns, from addresses that have not tried yet. */
async function timing(server: BenchServer): Promise<BenchRow[]> {
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let n = 0; n < TRIES; n += 1)
    // Who goes first changes with each round.
    for (const which of n % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
      const place = 10_000 + Math.floor(n / TRIES_PER_ADDRESS)
      const username = which === 'known' ? ADMIN.username : 'nobody-here'
      const begun = performance.now()
      const { code } = await trySignIn(server.port, addressOf(place), { username, password: 'not this one' })
      times[which].push(performance.now() - begun)
      if (code !== 'auth.wrong_credentials') throw new Error(`a try was answered with ${code}`)
    }
  const [known, unknown] = [median(times.known), median(times.unknown)]
  const difference = (Math.abs(known - unknown) / unknown) * 100
  return [
    { name: `refusal of a known name, median of ${TRIES}`, value: known, unit: 'ms', bar: '', ok: true },
    { name: `refusal of an unknown name, median of ${TRIES}`, value: unknown, unit: 'ms', bar: '', ok: true },
    { name: 'difference of the medians', value: difference, unit: '%', bar: '≤ 5', ok: difference <= 5 },
  ]
}

/** A crowd at the sign-in: the limits hold, the owner gets in, everybody else works on; and refusals tell nothing. */
export async function run(): Promise<BenchRow[]> {
  const server = await BenchServer.start()
  try {
    const { token } = await server.signIn()
    return [...(await timing(server)), ...(await underFlood(server, token))]
  } finally {
    await server.stop()
  }
}

if (import.meta.main) process.exitCode = report(await run()) ? 0 : 1
