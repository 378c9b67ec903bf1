import { expect, test, vi } from 'vitest'
import { preferencesSchema } from '@weft/contract/preferences/schema'
import {
  DEFAULT_PREFERENCES,
  PREFERENCE_CHOICES,
  choicesKept,
  cookieName,
  differences,
  noteChoice,
  parsePreferences,
  schemeOf,
  somethingChosen,
  takeChoices,
  withChange,
} from './preferences.ts'

test('without cookies the defaults hold', () => {
  expect(parsePreferences('')).toEqual(DEFAULT_PREFERENCES)
  expect(DEFAULT_PREFERENCES).toMatchObject({
    theme: 'dark',
    skin: 'default',
    appContentWidth: 'boxed',
    appContentLayoutNav: 'horizontal',
    isNavbarBlurEnabled: true,
    isVerticalNavCollapsed: false,
    isVerticalNavSemiDark: false,
    navbarType: 'sticky',
    footerType: 'static',
  })
})

test('cookies carry the app title before their names', () => {
  expect(cookieName('theme')).toBe('WEFT-theme')
  const cookies = 'WEFT-theme=light; theme=system; WEFT-isNavbarBlurEnabled=false; WEFT-appContentWidth=fluid'
  expect(parsePreferences(cookies)).toMatchObject({
    theme: 'light',
    isNavbarBlurEnabled: false,
    appContentWidth: 'fluid',
  })
})

test('a value that is none of the choices counts as the default', () => {
  expect(parsePreferences('WEFT-theme=purple; WEFT-isVerticalNavCollapsed=maybe; WEFT-skin=%')).toEqual(
    DEFAULT_PREFERENCES,
  )
})

test('turning horizontal makes a hidden navbar sticky and un-collapses the vertical navigation', () => {
  const before = {
    ...DEFAULT_PREFERENCES,
    appContentLayoutNav: 'vertical' as const,
    navbarType: 'hidden' as const,
    isVerticalNavCollapsed: true,
  }
  expect(withChange(before, { appContentLayoutNav: 'horizontal' })).toMatchObject({
    navbarType: 'sticky',
    isVerticalNavCollapsed: false,
  })
  expect(withChange(before, { theme: 'light' }).navbarType).toBe('hidden')
})

test('system follows the operating system', () => {
  expect(schemeOf('system', true)).toBe('dark')
  expect(schemeOf('system', false)).toBe('light')
  expect(schemeOf('light', true)).toBe('light')
})

test('the choices are those that the server keeps', () => {
  const names = Object.keys(preferencesSchema.shape).filter((name) => name !== 'language')
  expect(names.sort()).toEqual(Object.keys(DEFAULT_PREFERENCES).sort())
  const chosen = preferencesSchema.partial()
  for (const [name, choices] of Object.entries(PREFERENCE_CHOICES)) {
    for (const choice of choices) expect(chosen.safeParse({ [name]: choice }).success).toBe(true)
    expect(chosen.safeParse({ [name]: 'none of them' }).success).toBe(false)
  }
})

test('of a change, what follows from it is kept too, and nothing else', () => {
  const before = {
    ...DEFAULT_PREFERENCES,
    appContentLayoutNav: 'vertical' as const,
    navbarType: 'hidden' as const,
  }
  expect(differences(before, withChange(before, { appContentLayoutNav: 'horizontal' }))).toEqual({
    appContentLayoutNav: 'horizontal',
    navbarType: 'sticky',
  })
  expect(differences(before, withChange(before, { theme: before.theme }))).toEqual({})
})

test('choices wait, the later of a key over the earlier, until they are taken', () => {
  let told = 0
  const leave = somethingChosen.on(() => {
    told += 1
  })
  noteChoice({ theme: 'light', language: 'fr' })
  noteChoice({ theme: 'system' })
  leave()
  expect(told).toBe(2)
  expect(takeChoices()).toEqual({ theme: 'system', language: 'fr' })
  expect(takeChoices()).toEqual({})
})

test('what was chosen and not yet kept outlives a reload, until it is kept', () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  noteChoice({ skin: 'bordered' })
  takeChoices()
  noteChoice({ theme: 'light' })
  expect([...stored.values()].map((text): unknown => JSON.parse(text))).toEqual([
    { skin: 'bordered', theme: 'light' },
  ])
  choicesKept()
  expect([...stored.values()].map((text): unknown => JSON.parse(text))).toEqual([{ theme: 'light' }])
  takeChoices()
  choicesKept()
  expect(stored.size).toBe(0)
  vi.unstubAllGlobals()
})
