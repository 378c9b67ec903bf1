import type { FileChooser, Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import type { LocalFile } from '../files.ts'
import { Uploads } from './uploads.ts'

const pageOf = () => ({ isClosed: () => false }) as unknown as Page
const [SHOWN, HIDDEN] = [pageOf(), pageOf()]

/** A page's window for choosing files: what its field says, and what it is given. */
function chooserOf(page: Page, accept: Promise<string | null> = Promise.resolve('')) {
  const setFiles = vi.fn(async () => undefined)
  const chooser = {
    page: () => page,
    element: () => ({ getAttribute: () => accept }),
    isMultiple: () => false,
    setFiles,
  } as unknown as FileChooser
  return { chooser, setFiles }
}

function begin(fetch: () => Promise<LocalFile>, fetchMs = 1000) {
  const shown = { page: SHOWN }
  const given = vi.fn()
  const uploads = new Uploads({ page: () => shown.page, fetch, changed: () => undefined, given, fetchMs })
  return { shown, uploads, given }
}
const give = (number: number, ...fileIds: string[]) => ({ type: 'files', number, fileIds }) as const

it('gives nothing that was declined while it came', async () => {
  const file = Promise.withResolvers<LocalFile>()
  const { uploads } = begin(() => file.promise)
  const { chooser, setFiles } = chooserOf(SHOWN)
  await uploads.asks(chooser)
  const giving = uploads.give(give(1, 'a'))
  expect(uploads.asked?.state).toBe('taking')
  await uploads.give(give(1))
  expect(uploads.asked).toBeUndefined()
  file.resolve({ path: '/a', name: 'a' })
  await giving
  expect(setFiles).not.toHaveBeenCalled()
})

it('says that it failed where a file does not come', async () => {
  const { uploads, given } = begin(() => new Promise(() => undefined), 10)
  const { chooser, setFiles } = chooserOf(SHOWN)
  await uploads.asks(chooser)
  await uploads.give(give(1, 'a'))
  expect(uploads.asked?.state).toBe('failed')
  expect(setFiles).not.toHaveBeenCalled()
  expect(given).not.toHaveBeenCalled()
})

it('asks for the page that is shown, and gives to no other', async () => {
  const file = Promise.withResolvers<LocalFile>()
  const { uploads, shown } = begin(() => file.promise)
  await uploads.asks(chooserOf(HIDDEN).chooser)
  expect(uploads.asked).toBeUndefined()
  const { chooser, setFiles } = chooserOf(SHOWN)
  await uploads.asks(chooser)
  const giving = uploads.give(give(1, 'a'))
  shown.page = HIDDEN
  expect(uploads.asked).toBeUndefined()
  file.resolve({ path: '/a', name: 'a' })
  await giving
  expect(setFiles).not.toHaveBeenCalled()
})

it('takes no answer to what was asked before for what is asked now', async () => {
  const accept = Promise.withResolvers<string>()
  const { uploads, given } = begin(async () => ({ path: '/a', name: 'a' }))
  await uploads.asks(chooserOf(SHOWN).chooser)
  const { chooser, setFiles } = chooserOf(SHOWN, accept.promise)
  const asking = uploads.asks(chooser)
  await uploads.give(give(1, 'a'))
  expect(setFiles).not.toHaveBeenCalled()
  accept.resolve('image/*')
  await asking
  expect(uploads.asked).toMatchObject({ number: 2, accept: 'image/*', state: 'asked' })
  await uploads.give(give(2, 'a'))
  expect(setFiles).toHaveBeenCalledWith(['/a'], expect.anything())
  expect(given).toHaveBeenCalledExactlyOnceWith(1)
})
