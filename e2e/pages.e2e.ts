import { expect, test, type Browser, type Page } from '@playwright/test'
import { z } from 'zod'
import { attendedRuns } from '@weft/contract/attended-runs/api'
import { clientOf } from '@weft/contract/core/client'
import { questions } from '@weft/contract/questions/api'
import { testRuns } from '@weft/contract/test-runs/api'
import { encodeDocument } from '@weft/workflow/state-codec'
import { asking } from './support/asking.ts'
import {
  axeProblems,
  contextIn,
  inTheme,
  inWidth,
  settled,
  sizeOf,
  visibleProblems,
  Watched,
} from './support/inspect.ts'
import { EVERY_LOOK, picturesWanted, takePicture } from './support/pictures.ts'
import { titleWords, visitsOf, type Look, type Visit } from './support/pages.ts'
import { ADMIN, until, Weft } from './support/weft.ts'

/** Each direction and each theme, and a phone, which becomes a desk: to open each page once more takes longest. */
const CHECKED: readonly Look[] = [
  { themes: ['light'], language: 'en', widths: [390, 1440] },
  { themes: ['dark'], language: 'ar', widths: [1440] },
]
/** Those of the pictures, which nobody waits for: all. */
const LOOKS = picturesWanted ? EVERY_LOOK : CHECKED
/** Addresses that are there to lead on. */
const LEADS_TO: Readonly<Record<string, string>> = {
  '/': '/dashboard',
  '/login': '/dashboard',
  '/auth': '/dashboard',
  '/auth/login': '/dashboard',
  '/cms/campaign': '/cms/campaign/list',
  '/cms/campaign/editor': '/cms/campaign/list',
  '/cms/campaign/info': '/cms/campaign/list',
  '/cms/project': '/cms/project/list',
  '/cms/project/detail': '/cms/project/list',
  '/cms/resource': '/cms/resource/clients',
  '/cms/run/info': '/cms/campaign/list',
  '/cms/user': '/cms/user/list',
  '/cms/user/edit': '/cms/user/list',
  '/cms/user/info': '/cms/user/list',
  '/cms/no/such/page': '/error/404',
  '/under-maintenance': '/dashboard',
}
/** From here on the accessibility of a page is checked. */
const WIDE = 1000
const nameOf = ({ themes, language, widths }: Look) =>
  `${language}, ${themes.join(' and ')}, ${widths.join(' and ')} wide`

// Recording every step costs more than the checks themselves; a problem names its address and its place.
test.use({ trace: 'off' })

let weft: Weft
let visits: Promise<Visit[]> | undefined

test.beforeAll(async () => {
  weft = await Weft.start({ WEFT_SLOTS: '2' })
})

test.afterAll(async () => {
  await weft.stop()
})

/** Every page, after the installation has something to show on each: a campaign half done, one run failed. */
async function fill(): Promise<Visit[]> {
  const api = await weft.setUp()
  const campaign = await until('the first campaign', async () => (await api.campaigns.list({})).data[0])
  const client = await until('the local client', async () =>
    (await api.clients.list({})).data.find(({ connection }) => connection === 'online'),
  )
  // The first account in line goes wrong too, so that a failed run need not be waited for long.
  const [account] = (await api.accounts.list({ sortBy: 'username', perPage: 5 })).data
  if (account) await api.accounts.update({ ...pick(account), password: 'not the right one' })
  await api.campaigns.start({ id: campaign.id })
  const runs = async () => (await api.runs.list({ campaignId: campaign.id, perPage: 50 })).data
  const run = await until(
    'a failed run',
    async () => (await runs()).find(({ result }) => result === 'failed'),
    // A machine that is busy with other things starts browsers slowly.
    150_000,
  )
  await api.campaigns.pause({ id: campaign.id })
  await until('a quiet campaign', async () => (await runs()).every(({ cycle }) => cycle === 'finished'))
  const [profile] = (await api.profiles.list({ perPage: 5 })).data
  const desk = clientOf(api.transport, attendedRuns)
  const browser = await desk.open({ profileId: profile?.id ?? '', url: `${weft.practiceUrl}/` })
  await desk.finish({ id: browser.id, save: false })
  await until('a closed browser', async () => (await desk.get({ id: browser.id })).finishedAt)
  await clientOf(api.transport, testRuns).start({
    workflowId: campaign.workflowId ?? '',
    document: encodeDocument(asking(weft.practiceUrl)),
    scope: { kind: 'whole' },
  })
  const inbox = clientOf(api.transport, questions)
  const question = await until('a question', async () => (await inbox.list({ state: ['open'] })).data[0])
  const [person] = (await api.users.list({ perPage: 5 })).data
  const proxy = await api.proxies.create({
    protocol: 'http',
    host: '198.51.100.7',
    port: 8080,
    username: 'ann',
  })
  const phone = await api.phones.create({ phoneNumber: '+201001234567', label: 'Desk' })
  const device = await api.devices.create({ name: 'Till', viewport: { width: 1024, height: 600 } })
  const video = await api.videos.create({ title: 'Summer film', channelName: '@weft-films' })
  const { routes } = await api.system.config({})
  return visitsOf(routes, {
    'cms/campaign/editor': campaign.id,
    'cms/campaign/info': campaign.id,
    'cms/campaign/questions': question.id,
    'cms/run/info': run.id,
    'cms/project/detail': campaign.projectId ?? '',
    'cms/workflow/editor': campaign.workflowId ?? '',
    'cms/resource/clients': client.id,
    'cms/resource/accounts': account?.id ?? '',
    'cms/resource/profiles': profile?.id ?? '',
    'cms/resource/sign-in-desk': browser.id,
    'cms/resource/phones': phone.id,
    'cms/resource/proxies': proxy.id,
    'cms/resource/videos': video.id,
    'cms/config/activity': 'extract',
    'cms/config/device': device.id,
    'cms/user/edit': person?.id ?? '',
    'cms/user/info': person?.id ?? '',
  })
}

const pick = ({ id, version }: { id: string; version: number }) => ({ id, version })

/** Opens an address and says all that is wrong there, in each width and theme. */
async function look(
  watched: Watched,
  { path, title }: Visit,
  { language, themes, widths }: Look,
): Promise<string[]> {
  const { page } = watched
  const [theme = 'light', second] = themes
  const [first = WIDE, ...others] = widths
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  if (page.viewportSize()?.width !== first) await page.setViewportSize(sizeOf(first))
  await page.goto(path)
  await settled(page)
  const problems: string[] = []
  for (const width of widths) {
    if (others.includes(width)) await inWidth(page, width)
    await takePicture(page, { language, width, theme })
    const found = [
      ...(await visibleProblems(page)),
      // A narrow window shows the same parts in another order.
      ...(width >= WIDE ? await axeProblems(page) : []),
    ]
    if (second) {
      await inTheme(page, second)
      await takePicture(page, { language, width, theme: second })
      // Only colours are others than before.
      const colours = width >= WIDE ? await axeProblems(page, ['color-contrast']) : []
      found.push(...colours.map((problem) => `${second}: ${problem}`))
    }
    problems.push(...found.map((problem) => `${width} wide: ${problem}`))
  }
  const expected = `[WEFT] - ${titleWords(language, title) ?? '?'}`
  const found = await page.title()
  if (found !== expected) problems.push(`title: ${found} instead of ${expected}`)
  problems.push(...watched.take())
  const landed = new URL(page.url()).pathname
  if (landed !== path.split('?')[0]) problems.push(`leads to ${landed}`)
  return problems.map((problem) => `${path}: ${problem}`)
}

test('the set-up page and the sign-in before anybody is there', async ({ browser }) => {
  const problems = await inEach(browser, LOOKS, async (watched, as) => [
    ...(await look(watched, { path: '/auth/login', title: 'page.login' }, as)),
    ...(await look(watched, { path: weft.setUpLink.slice(weft.url.length), title: 'page.setUp' }, as)),
  ])
  expect(problems).toEqual([])
})

for (const as of LOOKS)
  test(`every page: ${nameOf(as)}`, async ({ browser }) => {
    test.setTimeout(360_000)
    visits ??= fill()
    const [inside, outside] = partition(await visits)
    const problems = await inEach(browser, [as], async (watched) => {
      const found: string[] = []
      for (const visit of outside.filter(({ path }) => path !== '/under-maintenance'))
        found.push(...(await look(watched, visit, as)))
      await signIn(watched.page)
      for (const visit of inside.filter(({ path }) => !(path in LEADS_TO)))
        found.push(...(await look(watched, visit, as)))
      return found
    })
    expect(problems).toEqual([])
  })

test('addresses that lead on', async ({ browser }) => {
  visits ??= fill()
  await visits
  const problems = await inEach(browser, LOOKS.slice(0, 1), async ({ page }) => {
    await signIn(page)
    const found: string[] = []
    for (const [from, to] of Object.entries(LEADS_TO)) {
      await page.goto(from)
      await page
        .waitForURL((url) => url.pathname === to, { timeout: 30_000 })
        .catch(() => {
          found.push(`${from} leads to ${new URL(page.url()).pathname} and not to ${to}`)
        })
    }
    return found
  })
  expect(problems).toEqual([])
})

test('a closed system shows its own page in every look', async ({ browser }) => {
  const problems = await inEach(browser, LOOKS, async (watched, as) => {
    // What the server says while it is closed; there is no call yet by which a test could close it.
    await watched.page.route('**/system/system-config', async (route) => {
      const answer = await route.fetch()
      const body = z
        .object({ data: z.looseObject({}) })
        .loose()
        .parse(await answer.json())
      await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, systemStatus: 3 } } })
    })
    return look(watched, { path: '/under-maintenance', title: 'page.underMaintenance' }, as)
  })
  expect(problems).toEqual([])
})

function partition(all: readonly Visit[]): [inside: Visit[], outside: Visit[]] {
  return [all.filter(({ needsSignIn }) => needsSignIn), all.filter(({ needsSignIn }) => !needsSignIn)]
}

async function inEach(
  browser: Browser,
  looks: readonly Look[],
  work: (watched: Watched, as: Look) => Promise<string[]>,
): Promise<string[]> {
  const problems: string[] = []
  for (const as of looks) {
    const context = await contextIn(browser, weft.url, as)
    const watched = new Watched(await context.newPage())
    problems.push(...(await work(watched, as)).map((problem) => `${nameOf(as)}: ${problem}`))
    await context.close()
  }
  return problems
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/auth/login')
  await page.locator('input[name=username]').fill(ADMIN.username)
  await page.locator('input[name=password]').fill(ADMIN.password)
  await page.locator('button[type=submit]').click()
  await page.waitForURL('**/dashboard')
}
