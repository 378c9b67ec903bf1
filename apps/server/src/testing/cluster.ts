import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'
import { Client, Pool } from 'pg'
import { z } from 'zod'
import { pino } from 'pino'
import { prepareDatabase } from '../boot/prepare.ts'
import { clientConfig, type DatabaseAddress } from '../db/connection.ts'
import { Cluster } from '../db/embedded/cluster.ts'
import { addressOf, DATABASE_USER } from '../db/embedded/postmaster.ts'
import { jobQueue } from '../plugins/boss.ts'

/** The key with which tests seal; every test database is made with it. */
export const TEST_KEY = Buffer.alloc(32, 7)

const TEMPLATE = 'weft_template'
const WAIT_MS = 60_000
const clusterFile = z.object({ socketDir: z.string(), port: z.number() })
type ClusterAt = z.infer<typeof clusterFile>

/** The process of the whole test run; the cluster lives as long as it does. */
const RUN = isMainThread ? process.ppid : process.pid
const HOME = join(tmpdir(), `weft-test-${RUN}`)

let known: Promise<ClusterAt> | undefined

/** The Postgres that all test files of a run share; the first to ask starts it. */
export function testCluster(): Promise<ClusterAt> {
  known ??= startOrJoin()
  return known
}

async function startOrJoin(): Promise<ClusterAt> {
  const ready = join(HOME, 'ready.json')
  const first = await mkdir(HOME).then(
    () => true,
    () => false,
  )
  if (first) {
    const at = await start()
    await writeFile(ready, JSON.stringify(at))
    return at
  }
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await delay(50)) {
    const text = await readFile(ready, 'utf8').catch(() => '')
    if (text) return clusterFile.parse(JSON.parse(text))
  }
  throw new Error(`the test database in ${HOME} did not come up`)
}

async function start(): Promise<ClusterAt> {
  // Nothing of a test needs to survive a power cut.
  const flags = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'].flatMap((flag) => [
    '-c',
    flag,
  ])
  const cluster = await Cluster.at(HOME, { flags, sync: false })
  const { pid, socketDir, port } = await cluster.run()
  endWithRun(pid)
  const at = { socketDir, port }
  await inDatabase(at, 'postgres', `create database ${TEMPLATE}`)
  await prepareDatabase(addressOf(at, TEMPLATE), TEST_KEY)
  await installQueue(addressOf(at, TEMPLATE))
  return at
}

/** Stops Postgres and clears its folder away when the test run is over, however it ended. */
function endWithRun(pid: number): void {
  const script = `while kill -0 ${RUN} 2>/dev/null; do sleep 1; done; kill -QUIT ${pid}; sleep 1; rm -rf '${HOME}'`
  spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'ignore' }).unref()
}

/** The queue's tables are part of the template: making them anew for every file would take longer than most tests. */
async function installQueue(address: DatabaseAddress): Promise<void> {
  const pool = new Pool({ ...clientConfig(address), max: 2 })
  const queue = jobQueue({ pool, log: pino({ level: 'silent' }), roles: new Set() })
  await queue.start()
  await queue.stop(1_000)
  await pool.end()
}

async function inDatabase(at: ClusterAt, database: string, statement: string): Promise<void> {
  const client = new Client(clientConfig(addressOf(at, database)))
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** A fresh, migrated database. */
export interface TestDatabase {
  address: DatabaseAddress
  /** The same address as `DATABASE_URL` writes it. */
  url: string
  drop(): Promise<void>
}

/** Makes a database from the template, or an empty one. */
export async function testDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const at = await testCluster()
  const name = `t_${randomBytes(6).toString('hex')}`
  await inDatabase(at, 'postgres', `create database ${name}${empty ? '' : ` template ${TEMPLATE}`}`)
  return {
    address: addressOf(at, name),
    url: `postgres://${DATABASE_USER}@localhost/${name}?host=${encodeURIComponent(at.socketDir)}&port=${at.port}`,
    drop: () => inDatabase(at, 'postgres', `drop database if exists ${name} with (force)`),
  }
}

/** Makes a folder of a test's own, and the way to remove it. */
export async function testFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = join(tmpdir(), `weft-test-data-${randomBytes(6).toString('hex')}`)
  await mkdir(path, { recursive: true })
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
