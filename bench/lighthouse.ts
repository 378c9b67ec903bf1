import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium, type BrowserContext } from 'playwright-core'
import { z } from 'zod'
import { CHROMIUM, signInOn } from './support/browser.ts'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { BenchServer, median, report, type BenchRow } from './support/server.ts'

/** Not among the project's packages: it is large, and only this measurement wants it. */
const LIGHTHOUSE = 'lighthouse@13.5.0'
const ROUNDS = 3
const LIMIT_MS = 120_000

const PAGES = [
  { name: 'sign-in', path: '/auth/login', mobile: 95 },
  { name: 'a list', path: '/cms/campaign/list', mobile: 85 },
  { name: 'dashboard', path: '/dashboard', mobile: 85 },
] as const
const DESKTOP = 98

const scores = z.object({
  categories: z.object({
    performance: z.object({ score: z.number() }),
    accessibility: z.object({ score: z.number() }),
    'best-practices': z.object({ score: z.number() }),
  }),
  audits: z.record(
    z.string(),
    z.object({
      score: z.number().nullable(),
      scoreDisplayMode: z.string(),
      displayValue: z.string().optional(),
      details: z.looseObject({ items: z.unknown().optional() }).optional(),
    }),
  ),
})

const exec = promisify(execFile)

/** One look by Lighthouse at a page, in the browser that listens on the port. */
async function lookAt(url: string, port: number, form: 'desktop' | 'mobile', folder: string) {
  const file = join(folder, 'report.json')
  await exec(
    'npx',
    [
      '--yes',
      LIGHTHOUSE,
      url,
      `--port=${port}`,
      '--output=json',
      `--output-path=${file}`,
      '--only-categories=performance,accessibility,best-practices',
      '--disable-storage-reset',
      '--quiet',
      ...(form === 'desktop' ? ['--preset=desktop'] : []),
    ],
    { timeout: LIMIT_MS },
  )
  const { categories, audits } = scores.parse(JSON.parse(readFileSync(file, 'utf8')))
  const lost = Object.entries(audits).filter(
    ([, { score, scoreDisplayMode }]) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative',
  )
  for (const [audit, { displayValue = '', details }] of lost)
    console.log(`  ${form} ${audit}: ${displayValue} ${JSON.stringify(details?.items ?? []).slice(0, 600)}`)
  return {
    performance: categories.performance.score * 100,
    accessibility: categories.accessibility.score * 100,
    practices: categories['best-practices'].score * 100,
  }
}

async function browse(folder: string, port: number): Promise<BrowserContext> {
  return chromium.launchPersistentContext(join(folder, 'profile'), {
    ...CHROMIUM,
    args: [...CHROMIUM.args, `--remote-debugging-port=${port}`],
  })
}

async function signIn(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage()
  await signInOn(page, url)
  await page.close()
}

/** What Lighthouse says of the sign-in, a list and the dashboard, as at a desk and as on a phone; medians. */
export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-lighthouse-'))
  const server = await BenchServer.start()
  const port = await freePort()
  const context = await browse(folder, port)
  const rows: BenchRow[] = []
  try {
    for (const page of PAGES) {
      if (page.path !== '/auth/login' && rows.length === 6) await signIn(context, server.url)
      for (const form of ['desktop', 'mobile'] as const) {
        const looks = []
        for (let round = 0; round < ROUNDS; round += 1)
          looks.push(await lookAt(server.url + page.path, port, form, folder))
        const row = (what: string, values: number[], least: number): BenchRow => {
          const value = Math.round(median(values))
          return {
            name: `${page.name}, ${form}: ${what}`,
            value,
            unit: '',
            bar: `≥ ${least}`,
            ok: value >= least,
          }
        }
        rows.push(
          row(
            'performance',
            looks.map((each) => each.performance),
            form === 'desktop' ? DESKTOP : page.mobile,
          ),
          row(
            'accessibility',
            looks.map((each) => each.accessibility),
            100,
          ),
          row(
            'best practices',
            looks.map((each) => each.practices),
            100,
          ),
        )
      }
    }
    return rows
  } finally {
    await context.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

if (import.meta.main) process.exitCode = report(await run()) ? 0 : 1
