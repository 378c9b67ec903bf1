import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  STORAGE,
  TAB_STORAGE,
  forgetPerson,
  readOfTab,
  readStored,
  writeOfTab,
  writeStored,
} from './storage.ts'
import { keptIn } from './testing/kept-in.ts'

beforeEach(() => {
  vi.stubGlobal('localStorage', keptIn())
  vi.stubGlobal('sessionStorage', keptIn())
})
afterEach(() => vi.unstubAllGlobals())

test('who leaves takes along all that was kept of them, and what the tab had under way', () => {
  for (const key of Object.values(STORAGE)) writeStored(key, 'x')
  writeStored('Auth::Password', 'x')
  writeOfTab(`${TAB_STORAGE.bulk}accounts`, 'a')
  writeOfTab(`${TAB_STORAGE.import}proxies`, 'b')
  writeOfTab('weft.tab', 'c')
  forgetPerson()
  // The language is the device's, and the tab stays the same tab.
  expect(Object.keys(localStorage).sort()).toEqual([STORAGE.language, STORAGE.i18n, STORAGE.i18ns].sort())
  expect(Object.keys(sessionStorage)).toEqual(['weft.tab'])
})

test('a browser that forbids storage has nothing to be forgotten', () => {
  vi.stubGlobal('localStorage', undefined)
  vi.stubGlobal('sessionStorage', undefined)
  writeOfTab(TAB_STORAGE.bulk, 'a')
  forgetPerson()
  expect([readStored(STORAGE.token), readOfTab(TAB_STORAGE.bulk)]).toEqual([null, null])
})
