import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ResolvedInput } from '@weft/workflow/catalogue/catalogue'
import type { ErrorClass } from '@weft/workflow/errors'
import type { IoActivityType, StepContext } from '@weft/workflow/interpret'
import { DomainLimits } from '../src/executor/browser/domains.ts'
import type { Tab } from '../src/executor/browser/session.ts'
import type { RunTools } from '../src/executor/steps/step.ts'
import { createRunners } from '../src/executor/steps/steps.ts'

const PAGE = `<!doctype html><title>Shop</title>
  <h1>Shop</h1>
  <button disabled>Locked</button>
  <div style="position:relative"><button>Covered</button><div style="position:absolute;inset:0;background:#fff"></div></div>
  <button>Idle</button>
  <label>Name <input></label> <label>Age <input type="number"></label>
  <label>Land <select><option>France</option></select></label>
  <table><tr><th>A</th></tr><tr><td>1</td></tr></table>`

let browser: Browser
let folder: string
let url: string
const server = createServer((request, response) => {
  if (request.url === '/gone') response.statusCode = 404
  if (request.url === '/slow') return
  response.setHeader('content-type', 'text/html').end(PAGE)
})
let tab: Tab

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weft-failures-'))
  await writeFile(join(folder, 'a.txt'), 'a')
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const args = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking']
  browser = await chromium.launch({
    executablePath: process.env['WEFT_CHROMIUM'] ?? '/usr/bin/chromium',
    args,
  })
})
afterAll(async () => {
  await browser.close()
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  await tab?.page.context().close()
  const page: Page = await browser.newPage()
  await page.setContent(PAGE)
  tab = { page, name: null, refused: null, crashed: false, status: null, expectsDownload: false }
})

/** What a step ends with: the class of its failure, or null. */
async function endOf<T extends IoActivityType>(
  type: T,
  input: ResolvedInput<T>,
  seconds = 0.6,
): Promise<ErrorClass | null> {
  const session = {
    tab: async () => tab,
    tabs: () => [tab],
    peek: () => tab,
    openTab: async () => tab,
    switchTo: () => undefined,
  }
  const files = {
    resolve: async () => ({ path: join(folder, 'a.txt'), name: 'a.txt' }),
    newPath: () => join(folder, 'b'),
    maxBytes: 1000,
  }
  const masker = { text: (text: string) => text }
  const limits = new DomainLimits([])
  // Only what the steps below use of a run.
  const tools = { session, files, masker, limits, secretFields: [], job: { account: null } }
  const context: StepContext = {
    stepId: 'step',
    type,
    name: null,
    path: '',
    attempt: 1,
    lane: '',
    timeLimitSeconds: seconds,
    signal: AbortSignal.timeout(seconds * 1000 + 2000),
    sideEffect: 'none',
    log: async () => undefined,
  }
  const runner = createRunners(tools as unknown as RunTools)[type]
  return runner(input, context).then(
    () => null,
    (error: { class: ErrorClass }) => error.class,
  )
}

/** All of them at once, so that their waits do not add up. */
async function allEnd(errorClass: ErrorClass, ends: Promise<ErrorClass | null>[]): Promise<void> {
  expect(await Promise.all(ends)).toEqual(ends.map(() => errorClass))
}

const button = (name: string) => [{ by: 'role' as const, role: 'button', name }]
const label = (text: string) => [{ by: 'label' as const, text }]
const click = { button: 'left', clicks: 1, waitForNavigation: false } as const
const nowhere = button('Nowhere')

it('an element that is missing is not found, by every step that asks for one', async () => {
  await allEnd('ElementNotFound', [
    endOf('click', { ...click, targets: nowhere }, 0.3),
    endOf('fill', { targets: nowhere, value: 'x', mode: 'fill' }, 0.3),
    endOf('select', { targets: nowhere, by: 'label', value: 'x' }, 0.3),
    endOf('press-key', { targets: nowhere, key: 'a', times: 1 }, 0.3),
    endOf('upload-file', { targets: nowhere, file: 'f' }, 0.3),
    endOf('extract', { targets: nowhere, what: 'text', onMissing: 'fail' }, 0.3),
    endOf('screenshot', { targets: nowhere, fullPage: false }, 0.3),
    endOf('switch-tab', { by: 'name', value: 'none', closeCurrent: false }, 0.3),
  ])
})

it('an element that is there and cannot be used is told from one that is missing', async () => {
  await allEnd('ElementNotUsable', [
    endOf('click', { ...click, targets: button('Locked') }, 1.5),
    endOf('click', { ...click, targets: button('Covered') }, 1.5),
    endOf('download', { from: 'click', targets: button('Locked'), maxMegabytes: 1 }, 1.5),
    endOf('fill', { targets: button('Idle'), value: 'x', mode: 'fill' }, 1.5),
    endOf('select', { targets: button('Idle'), by: 'label', value: 'x' }, 1.5),
    endOf('select', { targets: button('Idle'), by: 'checked' }, 1.5),
  ])
})

it('a value that does not fit is wrong input, not a fault of the program', async () => {
  const broken = [{ by: 'css' as const, selector: 'a[' }]
  const columns = [{ name: 'a', selector: 'b[' }]
  const rows = [{ by: 'css' as const, selector: 'tr' }]
  await allEnd('InputInvalid', [
    endOf('fill', { targets: label('Age'), value: 'old', mode: 'fill' }, 2),
    endOf('press-key', { key: 'NoSuchKey', times: 1 }, 2),
    endOf('select', { targets: label('Land'), by: 'label', value: 'Nowhere' }, 2),
    endOf('click', { ...click, targets: broken }, 2),
    endOf('extract', { targets: rows, what: 'list', columns, onMissing: 'fail' }, 2),
    endOf('open-page', { url: 'not an address', waitUntil: 'load' }, 2),
  ])
})

it('what takes too long says so; what a page refuses to give has its own word', async () => {
  expect(await endOf('upload-file', { targets: button('Idle'), file: 'f' })).toBe('UploadFailed')
  expect(await endOf('download', { from: 'click', targets: button('Idle'), maxMegabytes: 1 })).toBe(
    'DownloadFailed',
  )
  expect(await endOf('open-page', { url: `${url}/slow`, waitUntil: 'load' })).toBe('Timeout')
  const wait = { for: 'text', text: 'Never', onTimeout: 'fail' } as const
  expect(await endOf('wait-for', wait, 0.3)).toBe('Timeout')
  expect(await endOf('open-page', { url: `${url}/gone`, waitUntil: 'load' })).toBe('NavigationFailed')
  expect(await endOf('open-tab', { url: 'http://127.0.0.1:1/' })).toBe('NavigationFailed')
  const check = { subject: 'title', operator: 'equals', expected: 'Other' } as const
  expect(await endOf('assert', check, 0.3)).toBe('AssertionFailed')
  expect(await endOf('sign-in', {} as ResolvedInput<'sign-in'>)).toBe('AccountMissing')
})

it('a page that is gone is told as such by every step', async () => {
  await tab.page.close()
  const there = { targets: button('Idle') }
  await allEnd('BrowserCrashed', [
    endOf('open-page', { url, waitUntil: 'load' }),
    endOf('click', { ...click, ...there }),
    endOf('fill', { targets: label('Name'), value: 'x', mode: 'fill' }),
    endOf('press-key', { key: 'a', times: 1 }),
    endOf('upload-file', { ...there, file: 'f' }),
    endOf('wait-for', { for: 'element', ...there, onTimeout: 'fail' }),
    endOf('extract', { ...there, what: 'text', onMissing: 'empty' }),
    endOf('download', { from: 'click', ...there, maxMegabytes: 1 }),
  ])
})

it('steps that are right end well', async () => {
  expect(await endOf('open-page', { url, waitUntil: 'load' }, 5)).toBeNull()
  expect(await endOf('click', { ...click, targets: button('Idle') }, 5)).toBeNull()
  expect(await endOf('fill', { targets: label('Name'), value: 'Ada', mode: 'fill' }, 5)).toBeNull()
  expect(await endOf('select', { targets: label('Land'), by: 'label', value: 'France' }, 5)).toBeNull()
  const rows = [{ by: 'css' as const, selector: 'table' }]
  expect(await endOf('extract', { targets: rows, what: 'table', onMissing: 'fail' }, 5)).toBeNull()
})
