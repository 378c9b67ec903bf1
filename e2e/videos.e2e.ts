import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { expect, test, type Page } from '@playwright/test'
import { Console } from './support/console.ts'
import { film } from './support/film.ts'
import { ADMIN, until, Weft } from './support/weft.ts'

/** Videos as somebody uploads, interrupts, looks at and describes them. */

test.use({ actionTimeout: 30_000 })

const CHUNK = 8 * 1024 * 1024

let weft: Weft
let api: Awaited<ReturnType<Weft['setUp']>>['videos']

test.beforeAll(async () => {
  weft = await Weft.start({ WEFT_LOCAL_AGENT: '0' })
  api = (await weft.setUp()).videos
})
test.afterAll(() => weft.stop())

async function signIn(page: Page): Promise<void> {
  await page.goto(`${weft.url}/login`)
  await page.getByLabel('Username or e-mail').fill(ADMIN.username)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible()
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const choose = (page: Page, files: string | { name: string; mimeType: string; buffer: Buffer }[]) =>
  page.locator('input[type=file]').first().setInputFiles(files)

test('a film is uploaded, shown, played and described; what is no film is refused with a reason', async ({
  page,
}) => {
  await signIn(page)
  const ui = new Console(page)
  await ui.go('Resource', 'Videos')
  await page.getByRole('link', { name: 'Upload videos' }).first().click()
  await expect(ui.heading('Upload videos')).toBeVisible()
  const bytes = await film(page)
  await choose(page, [
    { name: 'summer_film.webm', mimeType: 'video/webm', buffer: bytes },
    { name: 'letter.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') },
    { name: 'pretended.mp4', mimeType: 'video/mp4', buffer: Buffer.from('<html></html>') },
  ])
  const items = page.getByRole('listitem')
  await expect(items.filter({ hasText: 'letter.pdf' })).toContainText('Not a video that can be uploaded')
  await expect(items.filter({ hasText: 'pretended.mp4' })).toContainText('This is no video that can be read')
  await expect(page.getByText('summer film is uploaded')).toBeVisible()
  await items.getByRole('link', { name: 'summer_film.webm' }).click()

  await expect(ui.heading('summer film')).toBeVisible()
  await expect(ui.fact('Dimensions')).toHaveText('320 × 180')
  await expect(ui.fact('Codec')).toHaveText('vp8')
  const player = page.locator('video')
  await expect
    .poll(() => player.evaluate((video: HTMLVideoElement) => video.readyState))
    .toBeGreaterThanOrEqual(2)
  await player.focus()
  await page.keyboard.press('Space')
  await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0)
  const [before] = (await api.list({ q: 'summer' })).data
  expect(before).toMatchObject({
    status: 'ready',
    file: { sha256: sha256(bytes) },
    poster: expect.any(String),
  })
  await player.evaluate((video: HTMLVideoElement) => video.pause())
  await ui.button('Use this frame as picture').click()
  await expect(page.getByText('The picture is set')).toBeVisible()

  await ui.tab('Details').click()
  await page.getByLabel('Channel name').fill('@weft-films')
  await ui.button('Save').click()
  await expect.poll(async () => (await api.get({ id: before?.id ?? '' })).channelName).toBe('@weft-films')
  await ui.tab('Where used').click()
  await expect(page.getByText('Not used yet')).toBeVisible()
  await ui.pageAction('Archive')
  await expect(page.getByText('Archived').first()).toBeVisible()
  await page.getByRole('link', { name: 'Back' }).click()
  const row = ui.row('summer film')
  await expect(row).toContainText('@weft-films')
  await expect(row.locator('img')).toHaveAttribute('src', /^blob:/)
})

test('an upload is paused, and goes on after the server was killed and the page loaded anew', async ({
  page,
}, info) => {
  await signIn(page)
  await page.goto(`${weft.url}/cms/resource/videos/new`)
  // Room after the last picture makes it as long as some chunks.
  const bytes = Buffer.concat([await film(page, { seconds: 0.5 }), Buffer.alloc(2 * CHUNK)])
  // The same file, told by its name, its size and its date.
  const large = info.outputPath('long.webm')
  await writeFile(large, bytes)
  const sent: number[] = []
  let hold = true
  await page.route('**/video/upload/*', async (route) => {
    const request = route.request()
    if (request.method() !== 'PATCH') return route.continue()
    // The first chunk goes; the next one hangs until somebody pauses.
    if (hold && sent.length > 0) return undefined
    sent.push(Number(request.headers()['upload-offset']))
    return route.continue()
  })
  await choose(page, large)
  const item = page.getByRole('listitem').filter({ hasText: 'long.webm' })
  await expect(item).toContainText(/8\.\d MB of 17 MB/)
  await item.getByRole('button', { name: /^Pause/ }).click()
  await expect(item).toContainText('Paused')

  await weft.killServer()
  await weft.startServer()
  hold = false
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Unfinished uploads' })).toBeVisible()
  await expect(item).toContainText(/8\.\d MB of 17 MB/)
  await choose(page, large)
  await expect(page.getByText('long is uploaded')).toBeVisible()
  expect(sent).toEqual([0, CHUNK, 2 * CHUNK])
  const whole = await until('the video', async () => (await api.list({ q: 'long' })).data[0])
  expect(whole).toMatchObject({
    status: 'ready',
    container: 'webm',
    file: { size: bytes.length, sha256: sha256(bytes) },
  })
  // Chosen once more it is known to be there, and nothing of it is sent.
  await page.getByRole('button', { name: 'Clear finished' }).click()
  await choose(page, large)
  await expect(page.getByRole('listitem').filter({ hasText: 'long.webm' }).getByRole('link')).toBeVisible()
  expect(sent).toHaveLength(3)
})
