import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { access } from '@weft/contract/access/api'
import { CallError, clientOf } from '@weft/contract/core/client'
import { projects } from '@weft/contract/projects/api'
import { prepareDataFolder } from './boot/prepare.ts'
import { asStartError } from './boot/start-errors.ts'
import { isAlive } from './db/embedded/postmaster.ts'
import { StartError } from './settings.ts'
import { testFolder } from './testing/cluster.ts'
import { freePort } from './testing/free-port.ts'
import { Program } from './testing/program.ts'

// The figures proper are the bench's; here other tests share the machine.
const READY_MS = 30_000

let folder: Awaited<ReturnType<typeof testFolder>>
let port: number
let program: Program
const env = () => ({ WEFT_DATA_DIR: folder.path })
const start = (more: Record<string, string> = {}) => new Program(port, { ...env(), ...more })
const postgresPid = async () =>
  Number((await readFile(join(folder.path, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])

beforeAll(async () => {
  folder = await testFolder()
  port = await freePort()
})
afterAll(async () => {
  // Normally it has ended; after a failure it may not stay behind.
  const last: Program | undefined = program
  await last?.end('SIGTERM')
  await folder.remove()
})

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
const isReady = (url: string) =>
  fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  )

describe('a wrong start', () => {
  it.each([
    ['a wrong port', { WEFT_PORT: 'many' }, /^Wrong setting: WEFT_PORT: /],
    [
      'an unknown setting',
      { WEFT_PROT: '4600' },
      /^Unknown setting: WEFT_PROT \(did you mean WEFT_PORT\?\)$/m,
    ],
    ['an unknown role', { WEFT_ROLES: 'web,boss' }, /^Wrong setting: WEFT_ROLES: /],
    [
      'a folder that cannot be',
      { WEFT_DATA_DIR: '/dev/null/data' },
      /^The data folder \/dev\/null\/data cannot be written to/,
    ],
    [
      'a password without a name',
      { WEFT_ADMIN_PASSWORD: 'long enough' },
      /^Wrong setting: WEFT_ADMIN_PASSWORD: /,
    ],
    [
      'a password that everybody tries',
      { WEFT_ADMIN_USERNAME: 'admin', WEFT_ADMIN_PASSWORD: 'password123' },
      /^Wrong setting: WEFT_ADMIN_PASSWORD: /,
    ],
    [
      'a browser that is not there',
      { WEFT_LOCAL_AGENT: '1', WEFT_BROWSER: '/nowhere/chromium' },
      /^Wrong setting: WEFT_BROWSER: there is no program \/nowhere\/chromium\./,
    ],
    ['a key file that is none', { WEFT_KEY_FILE: '/dev/full' }, /^The key file \/dev\/full is not a file\./],
    [
      'a key file that cannot be made',
      { WEFT_KEY_FILE: '/proc/key' },
      /^The key file \/proc\/key cannot be made: /,
    ],
    [
      'an address of others',
      { WEFT_HOST: '203.0.113.7' },
      /^This machine does not let the server listen on /,
    ],
    [
      'no database',
      { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
      /^The database cannot be reached: /,
    ],
  ])('because of %s is one clear line and code 1', async (_what, more, line) => {
    const attempt = start({ WEFT_LOG_LEVEL: 'warn', ...more })
    expect(await attempt.ended()).toBe(1)
    expect(attempt.err).toMatch(line)
    expect(attempt.err.trim().split('\n')).toHaveLength(1)
  })
})

describe('a start where somebody was before', () => {
  it('names the port, and which setting changes it', async () => {
    const used = await freePort()
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(used, '127.0.0.1', resolve))
    for (const [more, advice] of [
      [{ WEFT_PORT: String(used) }, 'set WEFT_PORT to another.'],
      [
        { WEFT_PRACTICE_PORT: String(used) },
        'set WEFT_PRACTICE_PORT to another, or to 0 for no practice site.',
      ],
    ] as const) {
      const attempt = start(more)
      expect(await attempt.ended()).toBe(1)
      expect(attempt.err).toBe(`Port ${used} on 127.0.0.1 is in use: ${advice}\n`)
    }
    await new Promise((resolve) => taken.close(resolve))
  })

  it('names a disk that has no room', async () => {
    await expect(prepareDataFolder(folder.path, Number.MAX_SAFE_INTEGER)).rejects.toThrow(
      /^The disk of .* is nearly full: \d+ MB are free, \d+ MB are needed\.$/,
    )
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    expect(asStartError(full)).toMatchObject({ name: 'StartError', message: expect.stringContaining('disk') })
    const postgres = Object.assign(new Error('could not extend file'), { code: '53100' })
    expect(asStartError(new Error('Failed query', { cause: postgres }))).toBeInstanceOf(StartError)
    const mistake = new TypeError('x is not a function')
    expect(asStartError(mistake)).toBe(mistake)
  })

  it.skipIf(!mayMount())('names a small disk of its own', async () => {
    const small = join(folder.path, 'small')
    await mkdir(small)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=100m', 'none', small])
    try {
      const attempt = start({ WEFT_DATA_DIR: join(small, 'data') })
      expect(await attempt.ended()).toBe(1)
      expect(attempt.err).toMatch(
        /^The disk of .* is nearly full: (?:99|100) MB are free, 256 MB are needed\.\n$/,
      )
      execFileSync('mount', ['-o', 'remount,ro,size=1g', small])
      const readOnly = start({ WEFT_DATA_DIR: join(small, 'data') })
      expect(await readOnly.ended()).toBe(1)
      expect(readOnly.err).toMatch(/^The data folder .* cannot be written to \(WEFT_DATA_DIR\)\.\n$/)
    } finally {
      execFileSync('umount', [small])
    }
  })
})

/** Whether this machine lets the tests have a disk of their own. */
function mayMount(): boolean {
  const at = mkdtempSync(join(tmpdir(), 'weft-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', at], { stdio: 'ignore' })
    execFileSync('umount', [at])
    return true
  } catch {
    return false
  } finally {
    rmSync(at, { recursive: true, force: true })
  }
}

describe('the server', () => {
  let token: string
  const api = (bearer = token) =>
    clientOf({ baseUrl: program.url, headers: () => ({ authorization: `Bearer ${bearer}` }) }, access)

  it('starts on an empty folder and shows the way in', async () => {
    program = start()
    await program.ready()
    const link = /\/auth\/set-up\?token=([\w-]+)/.exec(program.out)?.[1] ?? ''
    const person = { username: 'admin', password: 'a secret of length' }
    token = (await api().setUp({ token: link, ...person })).token
    expect((await api().info({})).user.roles).toEqual(['administrator'])
    expect((await stat(join(folder.path, 'key'))).mode & 0o777).toBe(0o600)
  })

  it('refuses a second one on its folder, and on its port, and goes on', async () => {
    const second = new Program(await freePort(), env())
    expect(await second.ended()).toBe(1)
    expect(second.err).toMatch(/^Another server is running on /)
    const elsewhere = await testFolder()
    const third = new Program(port, { WEFT_DATA_DIR: elsewhere.path })
    expect(await third.ended()).toBe(1)
    expect(third.err.trim().split('\n').at(-1)).toMatch(/^Port \d+ on 127\.0\.0\.1 is in use: set WEFT_PORT/)
    await elsewhere.remove()
    await api().info({})
  })

  // Calls are held for three seconds; a machine that others keep busy may need longer to bring Postgres back.
  it('holds calls while Postgres comes back from kill -9', { retry: 8 }, async () => {
    const pid = await postgresPid()
    process.kill(pid, 'SIGKILL')
    const begun = performance.now()
    const answers = await Promise.all(Array.from({ length: 20 }, () => api().sessions({})))
    expect(answers.every((answer) => answer.data.length === 1)).toBe(true)
    expect(performance.now() - begun).toBeLessThan(3_000)
    expect(await postgresPid()).not.toBe(pid)
  })

  it('makes every change once while Postgres is killed in the midst', async () => {
    const work = clientOf(
      { baseUrl: program.url, headers: () => ({ authorization: `Bearer ${token}` }) },
      projects,
    )
    const names = Array.from({ length: 120 }, (_, n) => `project ${n}`)
    const make = async (name: string): Promise<void> => {
      try {
        await work.create({ name }, { idempotencyKey: name.replace(' ', '-') })
      } catch (error) {
        // Lost while it was being committed: only asking again can tell, and the key makes that safe.
        if (!(error instanceof CallError) || error.code !== 'system.database_unavailable') throw error
        await make(name)
      }
    }
    for (let wave = 0; wave < 4; wave++) {
      const made = names.slice(wave * 30, wave * 30 + 30).map(make)
      await delay(20 + wave * 15)
      process.kill(await postgresPid(), 'SIGKILL')
      await Promise.all(made)
    }
    const listed = await work.list({ perPage: -1, q: 'project' })
    expect(listed.data.map((row) => row.name).sort()).toEqual(names.toSorted())
  })

  it('is soon ready again after its own kill -9, with the same Postgres', async () => {
    const pid = await postgresPid()
    await program.end('SIGKILL')
    expect(isAlive(pid)).toBe(true)
    program = start()
    expect(await program.ready()).toBeLessThan(READY_MS)
    expect(await postgresPid()).toBe(pid)
    expect(program.out).toContain(`Sign in: ${program.url}/login`)
    await api().info({})
  })

  it('is ready again after both were killed', async () => {
    const pid = await postgresPid()
    await program.end('SIGKILL')
    process.kill(pid, 'SIGKILL')
    program = start()
    expect(await program.ready()).toBeLessThan(READY_MS)
    await api().info({})
  })

  it('does not take a foreign process for its Postgres', async () => {
    const pid = await postgresPid()
    await program.end('SIGKILL')
    process.kill(pid, 'SIGKILL')
    const file = join(folder.path, 'postgres/postmaster.pid')
    const lines = (await readFile(file, 'utf8')).split('\n')
    await writeFile(file, [String(process.pid), ...lines.slice(1)].join('\n'))
    program = start()
    await program.ready()
    await api().info({})
  })

  it('stops in good order, and Postgres with it', async () => {
    const pid = await postgresPid()
    const { code, ms } = await program.end('SIGTERM')
    expect(code).toBe(0)
    expect(ms).toBeLessThan(10_000)
    expect(isAlive(pid)).toBe(false)
  })

  it('starts a second time, however many try to come back meanwhile', async () => {
    program = start()
    const coming = new AbortController()
    const comers = Array.from({ length: 4 }, async () => {
      while (!coming.signal.aborted) {
        const socket = connect(port, '127.0.0.1')
        socket.on('error', () => {})
        await delay(2)
        if (coming.signal.aborted) socket.destroy()
        else setTimeout(() => socket.destroy(), 1_000)
      }
    })
    expect(await program.ready()).toBeLessThan(READY_MS)
    coming.abort()
    await Promise.all(comers)
    await program.end('SIGTERM')
  })

  it(
    'may be stopped at any moment of its start, and leaves nothing behind',
    { timeout: 120_000 },
    async () => {
      for (const after of ['', 'Postgres', 'ready']) {
        const fresh = await testFolder()
        const attempt = new Program(await freePort(), { WEFT_DATA_DIR: fresh.path })
        const lock = join(fresh.path, 'postgres/postmaster.pid')
        const there = () => (after === 'ready' ? isReady(attempt.url) : exists(after ? lock : fresh.path))
        while (!(await there())) await delay(5)
        // Handlers for signals are there before anything is started.
        if (!after) while (!(await exists(join(fresh.path, 'key')))) await delay(5)
        const { code } = await attempt.end('SIGTERM')
        expect([after, code, attempt.err]).toEqual([
          after,
          0,
          expect.not.stringContaining('did not end well'),
        ])
        expect(await exists(lock)).toBe(false)
        await fresh.remove()
      }
    },
  )

  it('refuses a key that its secrets were not sealed with', async () => {
    const key = join(folder.path, 'another-key')
    await writeFile(key, `${Buffer.alloc(32, 1).toString('base64')}\n`, { mode: 0o600 })
    const wrong = start({ WEFT_KEY_FILE: key })
    expect(await wrong.ended()).toBe(1)
    expect(wrong.err).toContain('The key file does not fit this database')
  })

  it('takes its administrator from the environment', async () => {
    const fresh = await testFolder()
    const given = { WEFT_ADMIN_USERNAME: 'boss', WEFT_ADMIN_PASSWORD: 'a secret of length' }
    program = new Program(await freePort(), { WEFT_DATA_DIR: fresh.path, ...given })
    await program.ready()
    expect(program.out).toContain(`Sign in: ${program.url}/login`)
    await api().login({ username: 'boss', password: 'a secret of length' })
    await program.end('SIGTERM')
    await fresh.remove()
  })
})
