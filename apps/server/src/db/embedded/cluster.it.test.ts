import { chmod, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { testFolder } from '../../testing/cluster.ts'
import { clientConfig } from '../connection.ts'
import { Cluster } from './cluster.ts'
import { addressOf, isAlive, stopProcess, type Postmaster } from './postmaster.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function home(name: string): Promise<string> {
  const folder = await testFolder()
  ends.push(folder.remove)
  return join(folder.path, name)
}

async function run(cluster: Cluster): Promise<Postmaster> {
  const postmaster = await cluster.run()
  ends.push(() => stopProcess(postmaster.pid))
  return postmaster
}

async function ask(at: Postmaster, question: string): Promise<unknown> {
  const client = new Client(clientConfig(addressOf(at, 'postgres')))
  await client.connect()
  try {
    return Object.values((await client.query<Record<string, unknown>>(question)).rows[0] ?? {})[0]
  } finally {
    await client.end()
  }
}

const make = (at: string) => Cluster.at(at, { sync: false })

describe('a Postgres of our own', () => {
  it('checks its pages, is durable, and listens on its socket only', async () => {
    const at = await run(await make(await home('data')))
    expect(await ask(at, 'show data_checksums')).toBe('on')
    expect(await ask(at, 'show listen_addresses')).toBe('')
    expect(await ask(at, 'show fsync')).toBe('on')
    expect(await ask(at, 'show synchronous_commit')).toBe('on')
    expect((await stat(at.socketDir)).mode & 0o077).toBe(0)
  })

  it('is adopted while it lives, and started again where it was when it was killed', async () => {
    const place = await home('data')
    const first = await run(await make(place))
    const cluster = await make(place)
    expect(await cluster.run()).toEqual(first)
    process.kill(first.pid, 'SIGKILL')
    const second = await run(cluster)
    expect(second.pid).not.toBe(first.pid)
    expect(second.socketDir).toBe(first.socketDir)
    expect(isAlive(first.pid)).toBe(false)
  })

  it('lives in a folder whose path is too long for a socket', async () => {
    const cluster = await make(await home(`${'long'.repeat(20)}/${'longer'.repeat(10)}`))
    const first = await run(cluster)
    expect(first.socketDir.length).toBeLessThan(90)
    process.kill(first.pid, 'SIGKILL')
    const second = await run(cluster)
    expect(second.socketDir).toBe(first.socketDir)
    expect(await ask(second, 'select 1')).toBe(1)
  })

  it.runIf(process.getuid?.() === 0)('lives in a folder that only root may enter', async () => {
    const closed = await home('closed')
    await mkdir(closed)
    await chmod(closed, 0o700)
    const at = await run(await make(join(closed, 'data')))
    expect(await ask(at, 'select 1')).toBe(1)
  })

  it('leaves nothing half made when its making was cut short', async () => {
    const place = await home('data')
    await mkdir(join(place, 'postgres.new', 'half'), { recursive: true })
    expect(await ask(await run(await make(place)), 'select 1')).toBe(1)
  })
})
