import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recovery } from '@weft/contract/access/api'
import { testFolder } from '../testing/cluster.ts'
import { refusal, testBrowser } from '../testing/browser.ts'
import { freePort } from '../testing/free-port.ts'
import { Program } from '../testing/program.ts'

const MAIN = join(import.meta.dirname, '../main.ts')
const ADMIN = { WEFT_ADMIN_USERNAME: 'ada', WEFT_ADMIN_PASSWORD: 'the one before it' }

let folder: Awaited<ReturnType<typeof testFolder>>
let program: Program
let port: number

beforeAll(async () => {
  folder = await testFolder()
  port = await freePort()
  program = new Program(port, { WEFT_DATA_DIR: folder.path, ...ADMIN })
  await program.ready()
})
afterAll(async () => {
  await program.end('SIGTERM')
  await folder.remove()
})

/** Runs a command as `npm start -- …` does. */
async function command(...words: string[]) {
  const child = spawn(process.execPath, [MAIN, ...words], {
    env: { PATH: process.env['PATH'] ?? '', WEFT_DATA_DIR: folder.path, WEFT_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const [code] = await once(child, 'close')
  return { code: Number(code), out, err: err.trim(), token: /#token=([\w-]+)/.exec(out)?.[1] ?? '' }
}

it('hands out a link beside a running server and without one; who is not there is one clear line', async () => {
  const first = await command('reset-password', 'ADA')
  expect(first.err).toBe('')
  expect(first.code).toBe(0)
  expect(first.out).toContain(`http://127.0.0.1:${port}/auth/reset-password#token=`)
  const visitor = testBrowser(program.url)
  const choose = (token: string, chosen: string) =>
    visitor.api(recovery).reset({ token, newPassword: chosen, confirmPassword: chosen })
  await choose(first.token, 'a second password')
  await visitor.signIn('ada', 'a second password')
  expect((await refusal(choose(first.token, 'a third password'))).code).toBe('one_time.used')

  expect(await command('reset-password', 'nobody')).toMatchObject({
    code: 1,
    out: '',
    err: 'There is nobody named nobody.',
  })
  expect(await command('reset-password')).toMatchObject({
    code: 1,
    err: 'Usage: npm start -- reset-password NAME',
  })
  expect(await command('make-coffee')).toMatchObject({ code: 1, out: '' })

  await program.end('SIGTERM')
  const second = await command('reset-password', 'ada')
  expect(second).toMatchObject({ code: 0, err: '' })
  program = new Program(port, { WEFT_DATA_DIR: folder.path })
  await program.ready()
  await choose(second.token, 'a third password')
  await testBrowser(program.url).signIn('ada', 'a third password')
})
