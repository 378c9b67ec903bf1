import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { access } from '@weft/contract/access/api'
import { wholeSignIn } from '@weft/contract/access/schema'
import { clients } from '@weft/contract/clients/api'
import { clientOf } from '@weft/contract/core/client'
import { isAlive } from '../db/embedded/postmaster.ts'
import { testDatabase, testFolder, type TestDatabase } from '../testing/cluster.ts'
import { freePort } from '../testing/free-port.ts'
import { PROGRAM_ADMIN, programOn, type Program } from '../testing/program.ts'

let database: TestDatabase
let folder: Awaited<ReturnType<typeof testFolder>>
let program: Program
let practicePort: number

beforeAll(async () => {
  database = await testDatabase()
  folder = await testFolder()
  practicePort = await freePort()
  program = await programOn(database, folder.path, {
    WEFT_LOCAL_AGENT: '1',
    WEFT_PRACTICE_PORT: String(practicePort),
    WEFT_LOG_LEVEL: 'trace',
    SOME_CLOUD_SECRET: 'hunter2',
    LANG: 'C.UTF-8',
  })
})

afterAll(async () => {
  await program.end('SIGTERM')
  await database.drop()
  await folder.remove()
})

const pidOf = async (name: string) =>
  Number(await readFile(join(folder.path, 'companions', `${name}.pid`), 'utf8').catch(() => 0))

describe('the programs beside the server', () => {
  let pids: number[] = []

  it('run: the site answers and the agent joins', async () => {
    const { token } = wholeSignIn(await clientOf({ baseUrl: program.url }, access).login(PROGRAM_ADMIN))
    const headers = () => ({ authorization: `Bearer ${token}` })
    const calls = clientOf({ baseUrl: program.url, headers }, clients)
    const connections = async () => (await calls.list({})).data.map(({ connection }) => connection)
    await expect.poll(connections, { timeout: 60_000 }).toEqual(['online'])
    const site = () => fetch(`http://127.0.0.1:${practicePort}/`).then(({ ok }) => ok)
    // Neither waits for the other.
    await expect.poll(() => site().catch(() => false), { timeout: 60_000 }).toBe(true)
    pids = [await pidOf('practice'), await pidOf('agent')]
    expect(pids.every(isAlive)).toBe(true)
  }, 130_000)

  it('know nothing of the server’s secrets', async () => {
    for (const pid of pids) {
      const environment = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').filter(Boolean)
      const names = environment.map((entry) => entry.slice(0, entry.indexOf('=')))
      expect(names).toEqual(expect.arrayContaining(['PATH', 'LANG']))
      for (const name of [
        'DATABASE_URL',
        'WEFT_ADMIN_USERNAME',
        'WEFT_ADMIN_PASSWORD',
        'WEFT_KEY_FILE',
        'SOME_CLOUD_SECRET',
      ])
        expect(names).not.toContain(name)
      for (const secret of [PROGRAM_ADMIN.password, 'hunter2', database.url])
        expect(environment.join('\n')).not.toContain(secret)
    }
  })

  it('end with it', async () => {
    const { code, ms } = await program.end('SIGTERM')
    expect(code).toBe(0)
    expect(ms).toBeLessThan(10_000)
    expect(pids.some(isAlive)).toBe(false)
  })
})
