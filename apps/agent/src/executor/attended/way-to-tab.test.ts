import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { lastingAddress, wayToTab } from './way-to-tab.ts'

const tab = (url: string, title: string) =>
  ({ url: () => url, title: async () => title, waitForLoadState: async () => undefined }) as unknown as Page

const wayOf = (pages: Page[], index: number) => {
  const page = pages[index]
  if (!page) throw new Error('there is no such tab')
  return wayToTab(page, pages)
}

const SHOP = 'https://shop.example'

describe('what a tab is found by', () => {
  it('is its address, without what changes', async () => {
    const pages = [tab(`${SHOP}/`, 'Shop'), tab(`${SHOP}/help?session=5#top`, 'Help')]
    expect(await wayOf(pages, 1)).toEqual({ by: 'url', value: `${SHOP}/help` })
  })

  it('is its title where its address does not last, or is a part of another one', async () => {
    const pages = [tab(`${SHOP}/`, 'Shop'), tab(`${SHOP}/order/48213`, 'Your order')]
    expect(await wayOf(pages, 0)).toEqual({ by: 'title', value: 'Shop' })
    expect(await wayOf(pages, 1)).toEqual({ by: 'title', value: 'Your order' })
  })

  it('is as much of its address as lasts where its title does not', async () => {
    const pages = [tab(`${SHOP}/`, 'Shop'), tab(`${SHOP}/order/48213`, 'Order 48213')]
    expect(await wayOf(pages, 1)).toEqual({ by: 'url', value: `${SHOP}/order/` })
  })

  it('is its place where nothing else tells it from the others', async () => {
    const pages = [tab('about:blank', ''), tab(`${SHOP}/a`, 'Same'), tab(`${SHOP}/a?2`, 'Same')]
    expect(await wayOf(pages, 0)).toEqual({ by: 'index', value: '0' })
    expect(await wayOf(pages, 2)).toEqual({ by: 'index', value: '2' })
  })

  it('is no title that names somebody, a number or a key', async () => {
    for (const title of ['Inbox – ada@example.com', 'Room ٤', 'Draft kX9vQ2mLrT7zYp']) {
      const pages = [tab('about:blank', 'Home'), tab(`${SHOP}/order/48213`, title)]
      expect(await wayOf(pages, 1)).toEqual({ by: 'url', value: `${SHOP}/order/` })
    }
    const pages = [tab('about:blank', 'Home'), tab('about:blank', 'GitHub, YouTube and StackOverflow')]
    expect(await wayOf(pages, 0)).toEqual({ by: 'title', value: 'Home' })
  })

  it('is never read as an expression', async () => {
    const pages = [tab('about:blank', 'Pay {{ now }}'), tab('about:blank', 'Other')]
    expect(await wayOf(pages, 0)).toEqual({ by: 'title', value: 'Pay \\{{ now }}' })
  })
})

it('leaves out of an address what is made anew each time', () => {
  expect(lastingAddress(`${SHOP}/a/b?token=x`)).toEqual({ whole: `${SHOP}/a/b`, part: `${SHOP}/` })
  expect(lastingAddress(`${SHOP}/a/9f8e7d6c5b4a/pay`)).toEqual({ whole: null, part: `${SHOP}/a/` })
  for (const token of ['QwErTyUiOpAsDfGhJkLz', 'kX9vQ2mLrT7zYp', 'k3j9x2m4q8w1', 'aB3_xY9kZ2-q', 'a%40b'])
    expect(lastingAddress(`${SHOP}/reset/${token}`)).toEqual({ whole: null, part: `${SHOP}/reset/` })
  for (const path of ['My-Account/Orders', 'products/web3-shop', 'ca%C3%A9', 'fr/%E0%A4', 'aboutUs'])
    expect(lastingAddress(`${SHOP}/${path}`).whole).toBe(`${SHOP}/${path}`)
  expect(lastingAddress('about:blank')).toEqual({ whole: null, part: null })
})
