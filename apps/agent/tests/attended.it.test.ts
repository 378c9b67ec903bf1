import { randomUUID } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealInput } from '@weft/contract/attended-runs/sealed'
import { listProcesses } from '../src/supervisor/process-tree.ts'
import type { Supervisor } from '../src/supervisor/supervisor.ts'
import { startAgent, stopAgent, temporaryFolder } from './support/agent.ts'
import { handsOn } from './support/hands-on.ts'
import { FakeServer } from './support/server.ts'
import { startSite, type TestSite } from './support/site.ts'
import type { FakeRun } from './support/state.ts'

const PASSWORD = 'nobody-may-read-this-37'
const CODE = '904817'

/** Asks for a name, a password and a code, as a site does; says who is signed in. Its fields stand at known places. */
function answer(request: { url?: string; cookie: string; body: string }) {
  const url = new URL(request.url ?? '/', 'http://site')
  const style =
    '<style>body{margin:0}input,button,a{position:absolute;left:100px;width:200px;height:40px}</style>'
  if (request.cookie.includes('who='))
    return { html: `${style}<title>Inside</title><a style="top:0">Welcome</a>` }
  if (url.pathname === '/password' && request.body.includes(PASSWORD))
    return {
      html: `${style}<title>Code</title><form method=post action=/code><input name=code autofocus style="top:100px"></form>`,
    }
  if (url.pathname === '/code' && request.body.includes(CODE))
    return {
      html: '<title>Done</title><script>location.href = "/"</script>',
      cookie: 'who=me; HttpOnly; Path=/; Max-Age=86400',
    }
  return {
    html: `${style}<title>Sign in</title><form method=post action=/password>
      <input name=user style="top:100px"><input name=password type=password style="top:200px">
      <button style="top:300px">Go on</button></form>
      <a href=/other target=_blank style="top:400px">Elsewhere</a>
      <button style="top:500px" onclick="document.title = confirm('Sure?') ? 'Yes' : 'No'">Ask</button>
      <div style="height:3000px"></div><script>onscroll = () => document.title = 'Scrolled'</script>`,
  }
}

/** The content of all files below a folder, but for compiled code; what goes meanwhile is left out. */
async function textsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const texts: string[] = []
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && entry.name !== 'cache') texts.push(...(await textsBelow(path)))
    if (entry.isFile()) texts.push(await readFile(path, 'latin1').catch(() => ''))
  }
  return texts
}

describe('a browser that a person has in hand', () => {
  const server = new FakeServer()
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let site: TestSite
  let agent: Supervisor

  beforeAll(async () => {
    folder = await temporaryFolder()
    site = await startSite((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      request.on('end', () => {
        const { html, cookie } = answer({
          url: request.url ?? '/',
          cookie: request.headers.cookie ?? '',
          body,
        })
        if (cookie !== undefined) response.setHeader('set-cookie', cookie)
        response.setHeader('content-type', 'text/html; charset=utf-8')
        response.end(`<!doctype html>${html}`)
      })
    })
    await server.start()
    agent = await startAgent(server, join(folder.path, 'agent'))
  })
  afterAll(async () => {
    await stopAgent(agent)
    await server.stop()
    await site.stop()
    await folder.remove()
    expect(server.malformed).toEqual([])
  })

  const open = (snapshot: { sha256: string; size: number } | null = null, seconds = 60): FakeRun =>
    server.state.offerAttended({
      attended: { url: `${site.url}/`, seconds, purpose: 'signIn' },
      allowedDomains: [site.host],
      profile: {
        id: randomUUID(),
        name: 'p',
        browserType: 'chromium',
        locale: null,
        timeZone: null,
        startUrls: [],
        snapshot,
        device: null,
      },
    })
  const { seen, titled, send, clickAt, press, typed, save, finished } = handsOn(server)

  it('signs in by hand, with a code, and the saved session is signed in when it is opened again', async () => {
    const run = open()
    await titled(run, 'Sign in')
    expect([...(run.frames.at(-1)?.jpeg.subarray(0, 2) ?? [])]).toEqual([0xff, 0xd8])
    await clickAt(run, 150, 120)
    await typed(run, 'me')
    await clickAt(run, 150, 220)
    await send(run, { type: 'text', text: PASSWORD })
    await press(run, 'Enter', '\r', 13)
    await titled(run, 'Code')
    await typed(run, CODE)
    await press(run, 'Enter', '\r', 13)
    await titled(run, 'Inside')
    save(run)
    const end = await finished(run)
    expect(end).toMatchObject({ result: 'succeeded', error: null })
    const { snapshot } = end
    if (!snapshot) throw new Error('Nothing was saved.')
    expect(Date.parse(snapshot.expiresAt ?? '') - Date.now()).toBeGreaterThan(80_000_000)
    expect(gunzipSync(server.state.files.get(snapshot.sha256) ?? '').toString()).toContain('"who"')

    const again = open({ sha256: snapshot.sha256, size: snapshot.size })
    await titled(again, 'Inside')
    save(again)
    await finished(again)

    // Nobody but the site learns what was typed.
    const told = [
      JSON.stringify(run.events),
      run.log.toString(),
      JSON.stringify(run.finish),
      JSON.stringify(server.state.heartbeats),
    ]
    told.push(...(await textsBelow(join(folder.path, 'agent'))))
    expect(told.filter((text) => text.includes(PASSWORD) || text.includes(CODE))).toEqual([])
    expect(run.events.map((event) => event.type)).toEqual(['stepStarted', 'stepFinished'])
  })

  it('shows a tab that opens and the one before when it closes; scrolls; answers what a page asks; stays within its domains', async () => {
    const run = open()
    await titled(run, 'Sign in')
    await clickAt(run, 150, 420)
    await seen(run, 'the new tab', (meta) => meta.tabs === 2 && meta.url.endsWith('/other'))
    await send(run, { type: 'closeTab' })
    await seen(run, 'the first tab', (meta) => meta.tabs === 1 && meta.url === `${site.url}/`)
    await clickAt(run, 150, 520)
    await seen(run, 'the question', (meta) => meta.dialog?.message === 'Sure?')
    await send(run, { type: 'answer', accept: true })
    await send(run, { type: 'wheel', x: 0.8, y: 0.5, dx: 0, dy: 300, modifiers: 0 })
    await send(run, { type: 'open', address: 'elsewhere.example' })
    await seen(run, 'the refusal', (meta) => meta.notice === 'refused')
    await send(run, { type: 'go', to: 'reload' })
    await seen(run, 'the page again', (meta) => meta.notice === null)
    await send(run, { type: 'wheel', x: 0.8, y: 0.5, dx: 0, dy: 300, modifiers: 0 })
    server.state.cancel(run)
    expect(await finished(run)).toMatchObject({ result: 'cancelled', snapshot: null })
  })

  it('closes without keeping anything when the time is over, which can be prolonged', async () => {
    const run = open(null, 2)
    await titled(run, 'Sign in')
    server.state.tell({ type: 'attended', runId: run.job.runId, secondsLeft: 30, save: false })
    await seen(run, 'the new time', (meta) => meta.secondsLeft > 20)
    server.state.tell({ type: 'attended', runId: run.job.runId, secondsLeft: 0.2, save: false })
    expect(await finished(run)).toMatchObject({
      result: 'timed_out',
      snapshot: null,
      error: { class: 'TimeLimit' },
    })
  })

  it('says that nothing can be saved where the site kept nothing, and drops input that is old or not sealed for it', async () => {
    const run = open()
    await titled(run, 'Sign in')
    const sealed = await sealInput(run.leaseToken, [{ type: 'open', address: `${site.url}/late` }])
    server.state.tell({
      type: 'input',
      runId: run.job.runId,
      at: new Date(Date.now() - 60_000).toISOString(),
      sealed,
    })
    const wrong = await sealInput('another run', [{ type: 'open', address: `${site.url}/wrong` }])
    server.state.tell({ type: 'input', runId: run.job.runId, at: new Date().toISOString(), sealed: wrong })
    save(run)
    expect(await finished(run)).toMatchObject({
      result: 'failed',
      snapshot: null,
      error: { class: 'SessionEmpty' },
    })
    expect(site.asked.filter((path) => path === '/late' || path === '/wrong')).toEqual([])
  })

  it('ends as lost, or as a crashed browser, when it is killed in the midst; nothing is kept', async () => {
    const processes = (part: string) =>
      listProcesses().filter(({ command }) => command.includes(part) && command.includes(`${folder.path}/`))
    const run = open()
    await titled(run, 'Sign in')
    for (const { pid } of processes('--user-data-dir=')) process.kill(pid, 'SIGKILL')
    expect(await finished(run)).toMatchObject({
      result: 'failed',
      snapshot: null,
      error: { class: 'BrowserCrashed' },
    })
    const next = open()
    await titled(next, 'Sign in')
    for (const { pid } of processes('executor/main.ts')) process.kill(pid, 'SIGKILL')
    expect(await finished(next)).toMatchObject({
      result: 'lost',
      snapshot: null,
      error: { class: 'ExecutorLost' },
    })
  })
})
