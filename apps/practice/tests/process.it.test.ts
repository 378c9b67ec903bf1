import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStore } from '../src/store/store.ts'
import { account, file, ONE_PIXEL_PNG, Visitor } from './visitor.ts'

const MAIN = join(import.meta.dirname, '../src/main.ts')
let folder: string
const children: ChildProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'practice-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await rm(folder, { recursive: true })
})

function launch(settings: Record<string, string> = {}): { child: ChildProcess; output: Promise<string> } {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, WEFT_PRACTICE_PORT: '0', WEFT_DATA_DIR: folder, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const output = new Promise<string>((done) => {
    let text = ''
    const take = (chunk: Buffer): void => {
      text += chunk.toString()
      if (text.includes('\n')) done(text)
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
  })
  return { child, output }
}

async function start(): Promise<{ child: ChildProcess; url: string }> {
  const { child, output } = launch()
  const url = /http:\S+/.exec(await output)?.[0]
  if (!url) throw new Error(`It did not start: ${await output}`)
  return { child, url }
}

/** Posts until the site is gone; adds every title whose number came back. */
async function postUntilGone(url: string, name: string, acknowledged: Map<string, number>): Promise<void> {
  for (let index = 0; ; index += 1) {
    const title = `${name} ${index}`
    try {
      const response = await fetch(`${url}/api/notices`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${account(1).token}` },
        body: JSON.stringify({ title, body: 'text', category: 'work' }),
      })
      const { number } = Object(await response.json())
      acknowledged.set(title, Number(number))
    } catch {
      return
    }
  }
}

async function postPicturesUntilGone(
  url: string,
  name: string,
  acknowledged: Map<string, number>,
): Promise<void> {
  const visitor = new Visitor(url)
  try {
    await visitor.signIn(account(2))
    for (let index = 0; ; index += 1) {
      const title = `${name} ${index}`
      const fields = { title, body: 'text', category: 'work', picture: file(ONE_PIXEL_PNG) }
      const { location } = await visitor.send('/notices/new', fields)
      acknowledged.set(title, Number(/\d+/.exec(location ?? '')?.[0]))
    }
  } catch {
    // The site is gone.
  }
}

describe('the process', () => {
  it('loses no acknowledged notice and doubles none when it is killed while posting', async () => {
    const acknowledged = new Map<string, number>()
    const rounds = 5
    const posters = 4
    for (let round = 0; round < rounds; round += 1) {
      const { child, url } = await start()
      const posting = Array.from({ length: posters }, async (_, poster) =>
        postUntilGone(url, `Round ${round} poster ${poster}`, acknowledged),
      )
      posting.push(postPicturesUntilGone(url, `Round ${round} picture`, acknowledged))
      await expect.poll(() => acknowledged.size).toBeGreaterThan((round + 1) * 10)
      await sleep(round * 60)
      child.kill('SIGKILL')
      await Promise.all([...posting, once(child, 'exit')])
    }
    const store = await openStore(folder)
    const kept = store.board.list({ seeded: false })
    await store.close()
    expect(acknowledged.size).toBeGreaterThan(rounds * 10)
    expect(new Set(kept.map(({ number }) => number)).size).toBe(kept.length)
    expect(new Set(kept.map(({ title }) => title)).size).toBe(kept.length)
    const keptNumbers = new Map(kept.map(({ title, number }) => [title, number]))
    for (const [title, number] of acknowledged) expect(keptNumbers.get(title)).toBe(number)
    // What was saved without an answer was on its way when the site died: one per poster and round at most.
    expect(kept.length - acknowledged.size).toBeLessThanOrEqual(rounds * (posters + 1))
  })

  it('stops on SIGTERM at once, also when somebody is being made to wait', async () => {
    const { child, url } = await start()
    const waiting = fetch(`${url}/notices?slow=60000`)
    await sleep(500)
    const started = performance.now()
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
    expect((await waiting).status).toBe(200)
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  it('says in one line what is wrong with its settings, its port or its folder', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const used = typeof address === 'object' && address ? String(address.port) : ''
    await writeFile(join(folder, 'file'), '')
    const cases = [
      [{ WEFT_PRACTICE_PORT: 'http' }, 'WEFT_PRACTICE_PORT'],
      [{ WEFT_PRACTICE_PORT: used }, 'is in use'],
      [{ WEFT_DATA_DIR: join(folder, 'file') }, 'Practice site:'],
    ] as const
    for (const [settings, words] of cases) {
      const { child, output } = launch(settings)
      const exit = once(child, 'exit')
      const text = await output
      expect(text).toContain(words)
      expect(text.trimEnd()).not.toContain('\n')
      expect((await exit)[0]).toBe(1)
    }
    server.close()
  })
})
