import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Practice, startPractice } from '../src/site.ts'
import { account, ONE_PIXEL_PNG } from './visitor.ts'

let folder: string
let site: Practice
let browser: Browser

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'practice-'))
  await writeFile(join(folder, 'boat.png'), ONE_PIXEL_PNG)
  site = await startPractice({ port: 0, dataDir: folder })
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
})
afterAll(async () => {
  await browser.close()
  await site.close()
  await rm(folder, { recursive: true })
})

async function withPage(options: BrowserContextOptions, visit: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ baseURL: site.url, ...options })
  try {
    await visit(await context.newPage())
  } finally {
    await context.close()
  }
}

async function signIn(page: Page, number: number): Promise<void> {
  const { username, password } = account(number)
  await page.goto('/sign-in')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  await page.getByTestId('signed-in-user').waitFor()
}

describe('in a browser without scripts', () => {
  it('signs in, posts a notice with a picture and reads its number', async () => {
    await withPage({ javaScriptEnabled: false }, async (page) => {
      await signIn(page, 1)
      await page.getByRole('main').getByRole('link', { name: 'Post a notice' }).click()
      await page.getByLabel('Title').fill('Brass <bell> & rope')
      await page.getByLabel('Text').fill('\nFirst line\n  second line')
      await page.getByLabel('Category').selectOption({ label: 'For sale' })
      await page.getByLabel('Picture').setInputFiles(join(folder, 'boat.png'))
      await page.getByRole('button', { name: 'Post notice' }).click()
      const number = await page.getByRole('status', { name: 'Notice number' }).innerText()
      expect(number).toMatch(/^N-\d{6}$/)
      expect(await page.getByTestId('notice-number').innerText()).toBe(number)
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Brass <bell> & rope')
      expect(await page.getByTestId('notice-body').textContent()).toBe('First line\n  second line')
      expect(await page.getByTestId('notice-picture').getAttribute('src')).toMatch(/^\/pictures\//)
      expect(site.store.board.list({ title: 'Brass <bell> & rope' })).toHaveLength(1)
    })
  })

  it('keeps what was typed in a refused form, to the letter', async () => {
    await withPage({ javaScriptEnabled: false }, async (page) => {
      await signIn(page, 2)
      await page.goto('/notices/new')
      const text = '\n\n  indented\nمرحبا "<\'&'
      await page.getByLabel('Text').fill(text)
      await page.getByRole('button', { name: 'Post notice' }).click()
      await page.getByRole('alert').waitFor()
      expect(await page.getByLabel('Text').inputValue()).toBe(text)
    })
  })
})

describe('in a browser', () => {
  it('opens tabs, downloads the report, shows late rows and a popup', async () => {
    await withPage({}, async (page) => {
      await page.goto('/useful')
      const tab = page.context().waitForEvent('page')
      await page.getByRole('link', { name: /Tide table/ }).click()
      const tides = await tab
      expect(await tides.getByTestId('tide-table').getByRole('row').count()).toBe(5)
      await page.getByLabel('Notice number').fill('N-000003')
      const found = page.context().waitForEvent('page')
      await page.getByRole('button', { name: 'Look up' }).click()
      await (await found).waitForURL('**/notices/3')

      await page.goto('/notices')
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download as CSV' }).click()
      const saved = await download
      expect(saved.suggestedFilename()).toBe('report.csv')
      expect(await readFile(await saved.path(), 'utf8')).toContain('N-000001')

      await page.goto('/arrivals?every=700', { waitUntil: 'commit' })
      await page.getByTestId('arrival').first().waitFor()
      expect(await page.getByTestId('arrivals-done').count()).toBe(0)
      await page.getByTestId('arrivals-done').waitFor()
      expect(await page.getByTestId('arrival').count()).toBe(6)

      await page.goto('/notices/1')
      await page.getByRole('button', { name: 'Contact the author' }).click()
      await page.getByRole('dialog', { name: 'Contact the author' }).waitFor()
    })
  })

  it.each(['light', 'dark'] as const)(
    'has no accessibility violations and never scrolls sideways (%s)',
    async (colorScheme) => {
      const violations: string[] = []
      const pages = [
        '/',
        '/notices',
        '/notices?q=zzz',
        '/notices/3',
        '/prices',
        '/useful',
        '/useful/tides',
        '/sign-out',
      ]
      const signedInPages = ['/profile', '/notices/new', '/switches', '/arrivals?every=0', '/nowhere']
      const check = async (page: Page, name: string): Promise<void> => {
        // No page holds frames: without them it needs no further page to put its findings together.
        const axe = new AxeBuilder({ page }).setLegacyMode(true)
        // The dark one differs in nothing but its colours.
        if (colorScheme === 'dark') axe.withRules('color-contrast')
        const { violations: found, passes } = await axe.analyze()
        if (colorScheme === 'light') expect(passes.length).toBeGreaterThan(10)
        violations.push(...found.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`))
        for (const width of [390, 1440]) {
          await page.setViewportSize({ width, height: 900 })
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
          if (wide > 0) violations.push(`${name}: ${wide}px too wide at ${width}`)
        }
      }
      await withPage({ colorScheme }, async (page) => {
        await page.goto('/sign-in?why=ended')
        await check(page, '/sign-in')
        await page.getByLabel('Username').fill('harbour01')
        await page.getByLabel('Password').fill('guess')
        await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
        await check(page, '/sign-in refused')
        // Each theme with one direction: colours and directions do not depend on each other.
        const prefix = colorScheme === 'light' ? '' : '/ar'
        for (const path of pages) {
          await page.goto(prefix + path)
          await check(page, prefix + path)
        }
        await signIn(page, 3)
        for (const path of signedInPages) {
          await page.goto(path)
          await check(page, path)
        }
        await page.goto('/notices/new')
        await page.getByRole('button', { name: 'Post notice' }).click()
        await check(page, '/notices/new refused')
      })
      expect(violations).toEqual([])
    },
  )
})
