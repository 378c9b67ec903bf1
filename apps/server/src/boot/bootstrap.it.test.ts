import { spawn } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const SCRIPTS = join(import.meta.dirname, '../../../../scripts')
/** Root may write everywhere; what others meet is tried as one of them. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

let clone: string

/** A clone in which nothing is installed yet. */
beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'weft-clone-'))
  await cp(SCRIPTS, join(clone, 'scripts'), { recursive: true })
  await writeFile(join(clone, 'package-lock.json'), '{}')
  await writeFile(join(clone, 'package.json'), '{"type":"module"}')
  // Lets a test say which Node this is.
  await writeFile(
    join(clone, 'pretend.mjs'),
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })`,
  )
  await chmod(clone, 0o755)
})
afterAll(async () => {
  await chmod(clone, 0o755)
  await rm(clone, { recursive: true, force: true })
})

interface Ended {
  code: number | null
  out: string
  err: string
}

function run(args: string[], options: { env?: NodeJS.ProcessEnv; uid?: number; gid?: number } = {}) {
  return new Promise<Ended>((resolve, reject) => {
    const env = { PATH: process.env['PATH'], HOME: clone, WEFT_LOCAL_AGENT: '0', ...options.env }
    const child = spawn(process.execPath, args, { cwd: clone, ...options, env })
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, out, err }))
  })
}

describe.each(['start', 'agent', 'test'])('npm run %s', (script) => {
  it('with a Node that is too old says so in one line', async () => {
    const ended = await run(['--import', join(clone, 'pretend.mjs'), `scripts/${script}.mjs`])
    expect(ended).toEqual({
      code: 1,
      out: '',
      err: 'weft: Node 18.20.4 is too old: Weft needs Node 20 or newer.\n',
    })
  })
})

describe('npm start', () => {
  it('in a folder that cannot be written to says so in one line', async () => {
    await chmod(clone, 0o555)
    const ended = await run(['scripts/start.mjs'], NOBODY)
    await chmod(clone, 0o755)
    expect(ended).toEqual({
      code: 1,
      out: '',
      err: `weft: the folder ${clone}/ cannot be written to; clone Weft to a place of your own.\n`,
    })
  })

  it('that cannot install its packages says why in one line', async () => {
    const bin = join(clone, 'bin')
    await mkdir(bin)
    await writeFile(
      join(bin, 'npm'),
      '#!/bin/sh\necho "npm error ENOSPC" >&2\necho "no space left" >&2\nexit 1\n',
      {
        mode: 0o755,
      },
    )
    const ended = await run(['scripts/start.mjs'], { env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` } })
    expect(ended.code).toBe(1)
    expect(ended.err).toBe('weft: the packages cannot be installed: npm error ENOSPC | no space left\n')
  })

  it('without a browser, and without the means to install one, says what to install and goes on', async () => {
    const ask = `import('./scripts/lib.mjs').then((lib) => lib.ensureBrowser())`
    const ended = await run(['-e', ask], { env: { PATH: join(clone, 'nothing') } })
    expect(ended.code).toBe(0)
    expect(ended.out.trim().split('\n').at(-1)).toMatch(
      /^No browser was found, so the local agent can run nothing yet: .*, or set WEFT_BROWSER to its path\.$/,
    )
    expect(ended.err).toBe('')
  })

  it('with the name of a browser that is not there says so in one line', async () => {
    const ended = await run(['scripts/start.mjs'], {
      env: { WEFT_LOCAL_AGENT: '1', WEFT_BROWSER: '/nowhere/chromium' },
    })
    expect(ended).toEqual({
      code: 1,
      out: '',
      err: 'weft: WEFT_BROWSER: there is no program /nowhere/chromium.\n',
    })
  })
})
