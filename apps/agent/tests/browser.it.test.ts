import { createServer } from 'node:http'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPractice, type Practice } from '@weft/practice/site'
import { seedAccounts } from '@weft/practice/seed'
import type { Job } from '@weft/contract/agents/jobs'
import type { Supervisor } from '../src/supervisor/supervisor.ts'
import { readZip } from '../src/executor/browser/zip.ts'
import { chain, startAgent, stopAgent, temporaryFolder } from './support/agent.ts'
import { FakeServer, until } from './support/server.ts'
import type { FakeRun } from './support/state.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
type Device = NonNullable<NonNullable<Job['profile']>['device']>

/** A page that tells what it sees of its browser. */
const TELLING_PAGE = `<!doctype html><meta name="viewport" content="width=device-width"><p data-testid="told"></p><script>
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  document.querySelector('p').textContent = [
    innerWidth + 'x' + innerHeight + '@' + devicePixelRatio,
    navigator.maxTouchPoints > 0 ? 'touch' : 'mouse',
    dark ? 'dark' : 'light',
    navigator.language,
    Intl.DateTimeFormat().resolvedOptions().timeZone,
    navigator.userAgent,
  ].join(' ')
</script>`

const testId = (id: string) => [{ by: 'testId', id }]
const label = (text: string) => [{ by: 'label', text, exact: true }]

describe('an agent with a browser on the practice site', () => {
  const server = new FakeServer()
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let practice: Practice
  let agent: Supervisor

  beforeAll(async () => {
    folder = await temporaryFolder()
    practice = await startPractice({ port: 0, dataDir: folder.path })
    await server.start()
    agent = await startAgent(server, join(folder.path, 'agent'))
  })
  afterAll(async () => {
    await stopAgent(agent)
    await practice.close()
    await server.stop()
    await folder.remove()
    expect(server.malformed).toEqual([])
  })

  const account = (index: number) => {
    const seed = seedAccounts[index]
    if (!seed) throw new Error('There is no such account.')
    const { username, displayName, email, password } = seed
    return {
      password,
      details: {
        account: {
          id: randomUUID(),
          name: username,
          type: 'personal',
          username,
          displayName,
          email,
          channelName: null,
          secrets: ['password' as const],
        },
      },
    }
  }
  const profile = (snapshot: { sha256: string; size: number } | null) => ({
    id: randomUUID(),
    name: 'p',
    browserType: 'chromium',
    locale: 'en-GB',
    timeZone: 'Europe/Paris',
    startUrls: [],
    snapshot,
    device: null as Device | null,
  })
  const signIn = () => ({
    id: 'sign_in',
    type: 'sign-in',
    state: {
      url: `${practice.url}/sign-in`,
      usernameTargets: label('Username'),
      passwordTargets: label('Password'),
      submitTargets: testId('sign-in-submit'),
      signedInTargets: testId('signed-in-user'),
      refusedTargets: testId('sign-in-error'),
    },
  })
  const finished = (run: FakeRun) => until('the run is finished', () => run.finish)
  const fileOf = (run: FakeRun, kind: string) => {
    const event = run.events.find((candidate) => candidate.type === 'file' && candidate.kind === kind)
    return event?.type === 'file' ? { event, bytes: server.state.files.get(event.sha256) } : undefined
  }
  const secretsShown = (run: FakeRun, secret: string) =>
    [JSON.stringify(run.events), run.log.toString(), JSON.stringify(run.finish)].filter((text) =>
      text.includes(secret),
    )

  it('begins a step of a test run on the page that stood before it', async () => {
    const document = chain([
      { id: 'open', type: 'open-page', state: { url: `${practice.url}/notices` } },
      { id: 'read', type: 'extract', state: { what: 'text', targets: [{ by: 'css', selector: 'h1' }] } },
    ])
    const whole = server.state.offer(document, {
      test: { part: { kind: 'whole' }, pins: {}, page: null, expectations: [] },
    })
    await finished(whole)
    const page = `${practice.url}/notices`
    expect(whole.finish?.values).toMatchObject({ pages: { read: page } })
    const part = { kind: 'step' as const, activityId: 'read' }
    const one = server.state.offer(document, {
      startAt: 'read',
      test: { part, pins: {}, page, expectations: [] },
    })
    await finished(one)
    expect(one.events.map(({ stepId }) => stepId)).toEqual(['read', 'read'])
    expect(one.finish).toMatchObject({ result: 'succeeded', values: { steps: { read: { count: 1 } } } })
  })

  it('signs in, reads a list, posts with a picture and reads the number back', async () => {
    const { password, details } = account(0)
    const picture = randomUUID()
    server.state.files.set(picture, PIXEL)
    const document = chain([
      signIn(),
      { id: 'list', type: 'open-page', state: { url: `${practice.url}/notices` } },
      {
        id: 'read',
        type: 'extract',
        state: {
          what: 'list',
          targets: testId('notice'),
          columns: [
            { name: 'title', selector: 'a' },
            { name: 'link', selector: 'a', attribute: 'href' },
          ],
        },
      },
      { id: 'form', type: 'open-page', state: { url: `${practice.url}/notices/new` } },
      {
        id: 'title',
        type: 'fill',
        state: {
          targets: [
            { by: 'role', role: 'textbox', name: 'no such name' },
            { by: 'css', selector: 'input[name=title]' },
          ],
          value: 'Ropes, by {{ item.account.displayName }}',
        },
      },
      {
        id: 'text',
        type: 'fill',
        state: { targets: [{ by: 'css', selector: 'textarea' }], value: 'As good as new.', mode: 'type' },
      },
      {
        id: 'category',
        type: 'select',
        state: { targets: [{ by: 'css', selector: 'select[name=category]' }], by: 'index', value: '1' },
      },
      {
        id: 'picture',
        type: 'upload-file',
        state: { targets: [{ by: 'css', selector: 'input[type=file]' }], file: picture },
      },
      {
        id: 'post',
        type: 'click',
        state: { targets: testId('notice-submit'), waitForNavigation: true, sideEffect: 'irreversible' },
      },
      { id: 'number', type: 'extract', state: { targets: testId('notice-number') } },
      { id: 'shot', type: 'screenshot', state: { name: 'posted' } },
      {
        id: 'end',
        type: 'finish',
        state: {
          outputs: [
            { name: 'number', value: '{{ steps.number.value }}' },
            { name: 'seen', value: '{{ steps.read.count }}' },
          ],
        },
      },
    ])
    const run = server.state.offer(document, details, { 'account.password': password })
    const end = await finished(run)
    expect(end).toMatchObject({ result: 'succeeded', error: null, outputs: { seen: 8 } })
    expect(end.browser).toMatch(/^chromium \d+/)
    const [newest] = practice.store.board.list()
    expect(newest?.title).toBe('Ropes, by Amina Haddad')
    expect(newest?.picture).toBeTruthy()
    expect(String(end.outputs['number'])).toContain(String(newest?.number))
    const types = run.events.filter(({ stepId }) => stepId === 'post').map(({ type }) => type)
    expect(types).toEqual(['stepStarted', 'intent', 'confirm', 'stepFinished'])
    expect(fileOf(run, 'screenshot')?.bytes?.subarray(1, 4).toString()).toBe('PNG')
    expect(secretsShown(run, password)).toEqual([])
  })

  it('reports a refused account with a picture and a trace that do not show its password', async () => {
    const { details } = account(1)
    const password = 'quite-wrong-password'
    const document = chain([signIn()], {
      settings: { timeLimitSeconds: 60, maxAttempts: 1, traceOn: 'failure' },
    })
    const run = server.state.offer(document, details, { 'account.password': password })
    const end = await finished(run)
    expect(end).toMatchObject({
      result: 'failed',
      accountRejected: true,
      error: { class: 'AccountRejected', stepId: 'sign_in' },
    })
    expect(fileOf(run, 'screenshot')?.bytes?.length).toBeGreaterThan(1000)
    const trace = fileOf(run, 'trace')
    const path = join(folder.path, 'trace.zip')
    writeFileSync(path, trace?.bytes ?? Buffer.alloc(0))
    const contents = await readZip(path)
    expect([...contents.keys()]).toContain('trace.trace')
    for (const [name, content] of contents) expect([name, content.includes(password)]).toEqual([name, false])
    expect(secretsShown(run, password)).toEqual([])
  })

  it('keeps a profile that was checked on disk, and begins the next run with it', async () => {
    const { password, details } = account(2)
    const first = server.state.offer(
      chain([signIn()]),
      { ...details, profile: profile(null) },
      { 'account.password': password },
    )
    const { snapshot } = await finished(first)
    expect(snapshot?.size).toBe(server.state.files.get(snapshot?.sha256 ?? '')?.length)
    const again = server.state.offer(chain([signIn()]), { ...details, profile: profile(snapshot) })
    expect((await finished(again)).result).toBe('succeeded')
    const step = again.events.find(({ type }) => type === 'stepFinished')
    expect(step).toMatchObject({ output: { alreadySignedIn: true } })
  })

  it('leaves for a long wait, and goes on signed in, in the tabs that were open, with its secrets hidden', async () => {
    const { password, details } = account(3)
    const shown = testId('signed-in-user')
    const document = chain([
      signIn(),
      { id: 'help', type: 'open-tab', state: { url: `${practice.url}/notices`, name: 'second' } },
      { id: 'pause', type: 'delay', state: { seconds: 3600 } },
      { id: 'here', type: 'extract', state: { what: 'text', targets: [{ by: 'css', selector: 'h1' }] } },
      { id: 'who', type: 'extract', state: { what: 'text', targets: shown } },
      { id: 'back', type: 'switch-tab', state: { by: 'index', value: '1' } },
      { id: 'first', type: 'extract', state: { what: 'text', targets: shown } },
      { id: 'say', type: 'log', state: { level: 'info', message: password } },
    ])
    const secrets = { 'account.password': password }
    const before = server.state.offer(document, details, secrets)
    const { result, hold, snapshot } = await finished(before)
    expect({ result, kind: hold?.kind, seconds: hold?.seconds }).toEqual({
      result: 'held',
      kind: 'time',
      seconds: 3600,
    })
    expect(hold?.state['pages']).toMatchObject([
      { name: null, current: false },
      { url: `${practice.url}/notices`, name: 'second', current: true },
    ])
    expect(before.events.at(-1)).toMatchObject({ type: 'waiting', stepId: 'pause' })
    const goOn = {
      state: hold?.state ?? {},
      end: { ending: 'due' as const, answers: {}, by: null },
      snapshot,
    }
    const after = server.state.offer(document, { ...details, goOn })
    expect((await finished(after)).result).toBe('succeeded')
    const begun = after.events.flatMap((event) => (event.type === 'stepStarted' ? event.stepId : []))
    expect(begun).toEqual(['pause', 'here', 'who', 'back', 'first', 'say'])
    expect(after.log.toString()).not.toContain(password)
  })

  it('downloads by click and by address, and keeps what it got apart', async () => {
    const document = chain([
      { id: 'list', type: 'open-page', state: { url: `${practice.url}/notices` } },
      {
        id: 'report',
        type: 'download',
        state: { from: 'click', targets: [{ by: 'css', selector: 'a[download]' }] },
      },
      {
        id: 'again',
        type: 'download',
        state: { from: 'url', url: `${practice.url}/files/report.csv`, name: 'own.csv' },
      },
      { id: 'small', type: 'assert', state: { subject: 'title', operator: 'contains', expected: 'otice' } },
    ])
    const run = server.state.offer(document)
    expect((await finished(run)).error).toBeNull()
    const files = run.events.filter(({ type }) => type === 'file')
    expect(files).toMatchObject([
      { kind: 'download', name: 'report.csv', contentType: 'text/csv' },
      { kind: 'download', name: 'own.csv' },
    ])
    expect(fileOf(run, 'download')?.bytes?.toString()).toContain('number,title')
  })

  it('reads tables and tabs, asserts, waits, presses keys and calls addresses', async () => {
    const document = chain([
      { id: 'prices', type: 'open-page', state: { url: `${practice.url}/prices` } },
      { id: 'table', type: 'extract', state: { what: 'table', targets: testId('price-table') } },
      { id: 'useful', type: 'open-page', state: { url: `${practice.url}/useful` } },
      { id: 'open', type: 'click', state: { targets: [{ by: 'css', selector: '.doors a', nth: 0 }] } },
      { id: 'tides', type: 'switch-tab', state: { by: 'url', value: '/useful/tides' } },
      { id: 'there', type: 'wait-for', state: { for: 'url', url: '*/useful/tides' } },
      { id: 'tab', type: 'open-tab', state: { url: `${practice.url}/notices`, name: 'search' } },
      { id: 'ask', type: 'fill', state: { targets: [{ by: 'css', selector: '#q' }], value: 'boot' } },
      { id: 'enter', type: 'press-key', state: { key: 'Enter', targets: [{ by: 'css', selector: '#q' }] } },
      { id: 'found', type: 'wait-for', state: { for: 'text', text: 'yellow boot' } },
      {
        id: 'call',
        type: 'http-request',
        state: { url: `${practice.url}/files/report.csv`, query: [{ name: 'x', value: '1' }] },
      },
      {
        id: 'end',
        type: 'finish',
        state: {
          outputs: [
            { name: 'rows', value: '{{ steps.table.value.length }}' },
            { name: 'row', value: '{{ steps.table.value[0] }}' },
            { name: 'status', value: '{{ steps.call.status }}' },
            { name: 'tab', value: '{{ steps.tides.index }}' },
          ],
        },
      },
    ])
    const run = server.state.offer(document)
    const end = await finished(run)
    expect(end.error).toBeNull()
    expect(end.outputs).toMatchObject({ rows: 8, status: 200, tab: 1 })
    expect(Object.keys(end.outputs['row'] ?? {})).toHaveLength(5)
  })

  it('says which elements it looked for when there is none', async () => {
    const document = chain([
      { id: 'home', type: 'open-page', state: { url: practice.url } },
      {
        id: 'press',
        type: 'click',
        timeLimitSeconds: 1,
        state: { targets: [...testId('nothing'), { by: 'role', role: 'link' }] },
      },
    ])
    const run = server.state.offer(document)
    const end = await finished(run)
    expect(end.error).toMatchObject({ class: 'ElementNotFound', stepId: 'press' })
    expect(end.error?.message).toMatch(/testId nothing, link \(\d+ of them\)/)
  })

  it('tells a page that cannot be reached from one that is slow', async () => {
    const gone = server.state.offer(
      chain([
        {
          id: 'go',
          type: 'open-page',
          retry: { attempts: 1, delaySeconds: 0 },
          state: { url: 'http://127.0.0.1:1/' },
        },
      ]),
    )
    expect((await finished(gone)).error?.class).toBe('NavigationFailed')
    await practice.store.switches.set('all', { slowMs: 3000 })
    const slow = server.state.offer(
      chain([
        {
          id: 'go',
          type: 'open-page',
          timeLimitSeconds: 1,
          retry: { attempts: 1, delaySeconds: 0 },
          state: { url: practice.url },
        },
      ]),
    )
    expect((await finished(slow)).error?.class).toBe('Timeout')
    await practice.store.switches.clear()
  })

  it('has the browser be the device of its profile', async () => {
    const page = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(TELLING_PAGE)
    })
    await new Promise<void>((resolve) => void page.listen(0, '127.0.0.1', resolve))
    const address = page.address()
    const port = typeof address === 'object' ? address?.port : 0
    const till = {
      viewport: { width: 480, height: 640 },
      scale: 2,
      touch: true,
      mobile: true,
      userAgent: 'Till/1.0',
      colorScheme: 'dark' as const,
    }
    const document = chain([
      { id: 'open', type: 'open-page', state: { url: `http://127.0.0.1:${port}/` } },
      { id: 'told', type: 'extract', state: { targets: testId('told') } },
      {
        id: 'end',
        type: 'finish',
        state: { outputs: [{ name: 'told', value: '{{ steps.told.value }}' }] },
      },
    ])
    const run = server.state.offer(document, { profile: { ...profile(null), device: till } })
    const end = await finished(run)
    page.closeAllConnections()
    page.close()
    expect(end).toMatchObject({ result: 'succeeded', error: null })
    expect(end.outputs['told']).toBe('480x640@2 touch dark en-GB Europe/Paris Till/1.0')
  })
})
