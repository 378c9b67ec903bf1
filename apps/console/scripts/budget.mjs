// Measures the JavaScript and styles, gzipped, that a page really loads in a browser, and fails where they are over budget.
// Usage: node apps/console/scripts/budget.mjs   (after a build; WEFT_BROWSER names another browser)
import { createServer } from 'node:http'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'

const DIST = join(import.meta.dirname, '../dist')
const BUDGETS = [
  { name: 'sign-in', path: '/login', signedIn: false, shows: 'input[name=password]', maxBytes: 150_000 },
  { name: 'list', path: '/cms/campaign/list', signedIn: true, shows: 'main h1', maxBytes: 260_000 },
  { name: 'dashboard', path: '/dashboard', signedIn: true, shows: 'main h1', maxBytes: 300_000 },
]
const MAX_STYLE_BYTES = 45_000
const TYPES = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
const NOW = new Date().toISOString()

const figures = { done: 1, failed: 1, uncertain: 0, runs: 2, p50Ms: 1000, p95Ms: 2000 }
const user = {
  id: '01990000-0000-7000-8000-000000000001',
  username: 'budget',
  email: null,
  displayName: 'Budget',
  roles: ['administrator'],
  locale: 'en',
  timeZone: null,
  status: 'active',
  createdAt: NOW,
}
const me = { user, abilities: [{ action: ['VIEW', 'CREATE'], subject: 'all' }] }

/** What the calls of these pages answer; everything else is an empty list. */
const ANSWERS = {
  '/api-internal/api/v1/system/system-config': {
    systemStatus: 1,
    siteName: 'WEFT',
    googleReCaptchaKey: '',
    authModes: ['LOCAL'],
    ssoProviders: [],
    botCheckScript: '',
    defaultLanguage: 'en',
    maintenance: { note: '', until: null, planned: null },
    languages: [],
    needsSetUp: false,
    practiceUrl: null,
    version: '0',
    routes: [
      {
        name: '/dashboard',
        path: '/dashboard',
        file: 'dashboard',
        meta: { title: 'page.dashboard', icon: 'dashboard', resource: 'REPORT', requireAuth: true },
      },
      {
        name: '/cms/campaign/list',
        path: '/cms/campaign/list',
        file: 'cms/campaign/list',
        meta: { title: 'page.campaignList', icon: 'campaign', resource: 'CAMPAIGN', requireAuth: true },
      },
    ],
  },
  '/api-user/api/v1/user/get-info': me,
  '/api-report/api/v1/report/campaign/summary': {
    at: NOW,
    from: NOW,
    to: NOW,
    clients: { total: 1, online: 1, slots: 2, freeSlots: 2 },
    campaigns: { total: 1, running: 0, needsPerson: 0 },
    current: figures,
    previous: figures,
    series: [
      { at: NOW, done: 1, failed: 0 },
      { at: NOW, done: 3, failed: 1 },
    ],
    errors: [{ class: 'timeout', count: 1 }],
    recent: [],
  },
}

const server = createServer(async (request, response) => {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
  if (path.startsWith('/api-')) {
    const answer = ANSWERS[path]
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify(
        answer === undefined
          ? { status: 'Success', data: [], totalPage: 1, totalRecord: 0 }
          : { status: 'Success', data: answer },
      ),
    )
    return
  }
  if (path.startsWith('/hub')) {
    response.writeHead(404).end()
    return
  }
  const file = join(DIST, path)
  const found = extname(path) !== '' && existsSync(file)
  response.setHeader('content-type', TYPES[found ? extname(path) : '.html'] ?? 'application/octet-stream')
  response.end(await readFile(found ? file : join(DIST, 'index.html')))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${server.address().port}`

const browser = await chromium.launch({
  executablePath: process.env.WEFT_BROWSER ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
})
let failed = false
try {
  for (const { name, path, signedIn, shows, maxBytes } of BUDGETS) {
    const context = await browser.newContext({ baseURL: origin })
    const page = await context.newPage()
    if (signedIn)
      await page.addInitScript(() => {
        const expiresAt = new Date(Date.now() + 600_000).toISOString()
        localStorage.setItem('Auth::Token::Data', btoa(JSON.stringify({ token: 'budget', expiresAt })))
      })
    const loaded = { javascript: new Map(), css: new Map() }
    page.on('response', (response) => {
      const type = response.headers()['content-type'] ?? ''
      for (const kind of Object.keys(loaded))
        if (type.includes(kind)) loaded[kind].set(new URL(response.url()).pathname, response.body())
    })
    await page.goto(path)
    await page.locator(shows).first().waitFor()
    // What is fetched a moment later, such as the live connection, belongs to the first load too.
    await page.waitForTimeout(1500)
    for (const [kind, most] of [
      ['javascript', maxBytes],
      ['css', MAX_STYLE_BYTES],
    ]) {
      const sizes = await Promise.all(
        [...loaded[kind]].map(async ([file, body]) => ({
          file,
          bytes: gzipSync(await body, { level: 9 }).length,
        })),
      )
      const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
      const over = total > most
      failed ||= over
      console.log(
        `${name}, ${kind}: ${(total / 1000).toFixed(1)} kB of ${most / 1000} kB in ${sizes.length} files${over ? ' — OVER' : ''}`,
      )
      if (over || process.argv.includes('--list'))
        for (const { file, bytes } of sizes.sort((one, other) => other.bytes - one.bytes))
          console.log(`  ${bytes}  ${file}`)
    }
    await context.close()
  }
} finally {
  await browser.close()
  server.close()
}
process.exitCode = failed ? 1 : 0
