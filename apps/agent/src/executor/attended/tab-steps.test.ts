import type { Page } from 'playwright-core'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Recordings } from './recording.ts'
import { TabSteps } from './tab-steps.ts'

const SHOP = 'https://shop.example'

/** A tab that says its title when it is told to. */
function slowTab(url: string) {
  const asked: ((title: string) => void)[] = []
  const shown = { url }
  const page = {
    url: () => shown.url,
    title: () => {
      const { promise, resolve } = Promise.withResolvers<string>()
      asked.push(resolve)
      return promise
    },
    waitForLoadState: async () => undefined,
  } as unknown as Page
  return { page, asked, shown }
}

const still = (title: string) =>
  ({
    url: () => 'about:blank',
    title: async () => title,
    waitForLoadState: async () => undefined,
  }) as unknown as Page

const begun = () => {
  const recordings = new Recordings()
  const steps = new TabSteps(recordings, () => undefined)
  const did = (type: 'click' | 'open-tab') =>
    recordings.add({ type, unrecorded: null, state: {}, label: '', secret: null })
  const states = () => recordings.told.news.toSorted((a, b) => a.id - b.id).map(({ state }) => state)
  return { recordings, steps, did, states }
}

it('waits for no tab, and names the step in its place after something else was done', async () => {
  const { steps, did, states } = begun()
  const { page, asked } = slowTab(`${SHOP}/order/48213`)
  await steps.wentTo(page, [still('Shop'), page])
  expect(states()).toEqual([{ by: 'index', value: '1' }])
  did('click')
  await turn()
  asked[0]?.('Your order')
  await turn()
  expect(states()).toEqual([{ by: 'title', value: 'Your order' }, {}])
})

it('names it by its address at once where that lasts, and not by what was done there', async () => {
  const { steps, did, states } = begun()
  const { page, shown } = slowTab(`${SHOP}/help`)
  await steps.wentTo(page, [still('Shop'), page])
  did('click')
  shown.url = `${SHOP}/elsewhere`
  steps.arrived(page)
  await turn()
  expect(states()).toEqual([{ by: 'url', value: `${SHOP}/help` }, {}])
})

it('takes what a tab shows last, whichever answer comes last', async () => {
  const { steps, states } = begun()
  const { page, asked, shown } = slowTab(`${SHOP}/order/1111`)
  await steps.wentTo(page, [still('Shop'), page])
  await turn()
  shown.url = `${SHOP}/order/2222`
  steps.arrived(page)
  await turn()
  asked[1]?.('Paid')
  await turn()
  asked[0]?.('Paying')
  await turn()
  expect(states()).toEqual([{ by: 'title', value: 'Paid' }])
})

it('asks a tab that closes for its title while it is there', async () => {
  const { steps, states } = begun()
  const { page } = slowTab('about:blank')
  const closing = slowTab('about:blank')
  const next = still('Shop')
  const gone = steps.wentTo(next, [next, closing.page], closing.page)
  expect(states()).toEqual([{ by: 'index', value: '0', closeCurrent: true }])
  for (const answer of closing.asked) answer('Popup')
  await gone
  await turn()
  expect(states()).toEqual([{ by: 'title', value: 'Shop', closeCurrent: true }])
  // One that does not answer does not stay open for that.
  const began = performance.now()
  await steps.wentTo(page, [page, closing.page], closing.page)
  expect(performance.now() - began).toBeLessThan(1000)
})
