import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Look } from './pages.ts'

const folder = process.env['PICTURES_FOLDER']

/** Whether pictures of all pages are to be taken, as `npm run pictures` does, into a folder that git ignores. */
export const picturesWanted = folder !== undefined && folder !== ''

/** Both languages' directions, both themes, a desk and a phone. */
export const EVERY_LOOK: readonly Look[] = (['en', 'ar'] as const).flatMap((language) =>
  [1440, 390].map((width) => ({ language, widths: [width], themes: ['light', 'dark'] as const })),
)

/** Takes a picture of the whole page, named by its address and look; nothing where none is wanted. */
export async function takePicture(
  page: Page,
  { language, width, theme }: { language: string; width: number; theme: string },
): Promise<void> {
  if (!picturesWanted || folder === undefined) return
  const id = /[0-9a-f]{8}-[0-9a-f-]{27}/g
  const name = new URL(page.url()).pathname.replaceAll(id, 'one').replaceAll('/', '-').slice(1) || 'root'
  const path = join(folder, `${name}.${language}.${theme}.${width}.png`)
  await page.screenshot({ path, fullPage: true, animations: 'disabled' })
}
