import { expect, test } from 'vitest'
import { DEFAULT_PREFERENCES, cookieName, parsePreferences, schemeOf, withChange } from './preferences.ts'

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
