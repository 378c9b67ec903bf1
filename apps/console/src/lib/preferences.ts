import type { ChosenPreferences } from '@weft/contract/preferences/schema'
import { emitter, store } from './emitter.ts'
import { cookieValue } from './plain-call.ts'

/** What precedes the name of every preference cookie. */
export const APP_TITLE = 'WEFT'

const THEMES = ['light', 'dark', 'system'] as const
const SKINS = ['default', 'bordered'] as const
const WIDTHS = ['boxed', 'fluid'] as const
const LAYOUTS = ['horizontal', 'vertical'] as const
const BARS = ['sticky', 'static', 'hidden'] as const
const PRIMARIES = ['primary', 'primary-darken'] as const

export type ThemeChoice = (typeof THEMES)[number]
export type Bar = (typeof BARS)[number]

/** Every preference of the interface. */
export interface Preferences {
  theme: ThemeChoice
  skin: (typeof SKINS)[number]
  appContentWidth: (typeof WIDTHS)[number]
  appContentLayoutNav: (typeof LAYOUTS)[number]
  isNavbarBlurEnabled: boolean
  isVerticalNavCollapsed: boolean
  isVerticalNavSemiDark: boolean
  navbarType: Bar
  footerType: Bar
  /** Which of the two product colours leads, in each theme. */
  lightThemePrimaryColor: (typeof PRIMARIES)[number]
  darkThemePrimaryColor: (typeof PRIMARIES)[number]
}

/** The choices of each preference that is one of a few words. */
export const PREFERENCE_CHOICES = {
  theme: THEMES,
  skin: SKINS,
  appContentWidth: WIDTHS,
  appContentLayoutNav: LAYOUTS,
  navbarType: BARS,
  footerType: BARS,
  lightThemePrimaryColor: PRIMARIES,
  darkThemePrimaryColor: PRIMARIES,
} as const

/** What holds on a device where nothing was chosen. */
export const DEFAULT_PREFERENCES: Preferences = {
  theme: 'dark',
  skin: 'default',
  appContentWidth: 'boxed',
  appContentLayoutNav: 'horizontal',
  isNavbarBlurEnabled: true,
  isVerticalNavCollapsed: false,
  isVerticalNavSemiDark: false,
  navbarType: 'sticky',
  footerType: 'static',
  lightThemePrimaryColor: 'primary',
  darkThemePrimaryColor: 'primary',
}

/** The name of the cookie of a preference. */
export function cookieName(name: string): string {
  return `${APP_TITLE}-${name}`
}

/** Reads all preferences; a missing or foreign value counts as the default. */
export function parsePreferences(cookies: string): Preferences {
  const text = (name: string) => cookieValue(cookies, cookieName(name))
  const oneOf = <T extends string>(name: string, choices: readonly T[], fallback: T): T =>
    choices.find((choice) => choice === text(name)) ?? fallback
  const flag = (name: string, fallback: boolean) => {
    const value = text(name)
    return value === 'true' ? true : value === 'false' ? false : fallback
  }
  const d = DEFAULT_PREFERENCES
  return {
    theme: oneOf('theme', THEMES, d.theme),
    skin: oneOf('skin', SKINS, d.skin),
    appContentWidth: oneOf('appContentWidth', WIDTHS, d.appContentWidth),
    appContentLayoutNav: oneOf('appContentLayoutNav', LAYOUTS, d.appContentLayoutNav),
    isNavbarBlurEnabled: flag('isNavbarBlurEnabled', d.isNavbarBlurEnabled),
    isVerticalNavCollapsed: flag('isVerticalNavCollapsed', d.isVerticalNavCollapsed),
    isVerticalNavSemiDark: flag('isVerticalNavSemiDark', d.isVerticalNavSemiDark),
    navbarType: oneOf('navbarType', BARS, d.navbarType),
    footerType: oneOf('footerType', BARS, d.footerType),
    lightThemePrimaryColor: oneOf('lightThemePrimaryColor', PRIMARIES, d.lightThemePrimaryColor),
    darkThemePrimaryColor: oneOf('darkThemePrimaryColor', PRIMARIES, d.darkThemePrimaryColor),
  }
}

/**
 * What a change brings with it: turning horizontal makes a hidden navbar sticky and un-collapses the vertical
 * navigation, or there would be no way back.
 */
export function withChange(before: Preferences, change: Partial<Preferences>): Preferences {
  const after = { ...before, ...change }
  if (change.appContentLayoutNav === 'horizontal' && before.appContentLayoutNav !== 'horizontal') {
    after.isVerticalNavCollapsed = false
    if (after.navbarType === 'hidden') after.navbarType = 'sticky'
  }
  return after
}

/** Light or dark, as a choice and the operating system's wish give it. */
export function schemeOf(theme: ThemeChoice, systemDark: boolean): 'light' | 'dark' {
  if (theme === 'system') return systemDark ? 'dark' : 'light'
  return theme
}

const YEAR_SECONDS = 365 * 24 * 3600

function writeCookie(name: string, value: string): void {
  document.cookie = `${cookieName(name)}=${encodeURIComponent(value)}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`
}

/** The preferences that hold now. */
export const preferences = store<Preferences>(DEFAULT_PREFERENCES)

/** Told when the person chose something that their other devices should know. */
export const somethingChosen = emitter<null>()
let waiting: ChosenPreferences = {}
let onTheirWay: ChosenPreferences = {}
/** What this tab has not yet kept for the person; it survives a reload, which would bring back what was before. */
const UNKEPT = 'weft.choices'

/** Notes a choice to be kept for the person as well as on this device, as soon as they are signed in. */
export function noteChoice(choice: ChosenPreferences): void {
  waiting = { ...waiting, ...choice }
  writeUnkept()
  somethingChosen.emit(null)
}

/** Takes what was chosen and not yet kept for the person; `choicesKept` says that it is. */
export function takeChoices(): ChosenPreferences {
  onTheirWay = waiting
  waiting = {}
  return onTheirWay
}

/** What was taken last is kept for the person, or is nobody's any more. */
export function choicesKept(): void {
  onTheirWay = {}
  writeUnkept()
}

function writeUnkept(): void {
  const unkept = { ...onTheirWay, ...waiting }
  try {
    if (Object.keys(unkept).length > 0) sessionStorage.setItem(UNKEPT, JSON.stringify(unkept))
    else sessionStorage.removeItem(UNKEPT)
  } catch {
    // No storage: a reload within the moment brings back what was before.
  }
}

/** What the page before a reload had not kept; the server looks at every value of it. */
function readUnkept(): ChosenPreferences {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(UNKEPT) ?? '{}')
    return stored !== null && typeof stored === 'object' ? stored : {}
  } catch {
    return {}
  }
}

/** Changes preferences and keeps them, on this device and for the person. */
export function changePreferences(change: Partial<Preferences>): void {
  const before = preferences.get()
  const after = withChange(before, change)
  keep(after)
  noteChoice(differences(before, after))
}

/** Takes over what the person chose on another device. */
export function adoptPreferences(chosen: Partial<Preferences>): void {
  const before = preferences.get()
  const after = { ...before, ...chosen }
  if (Object.keys(differences(before, after)).length > 0) keep(after)
}

/** Those preferences that are others than before. */
export function differences(before: Preferences, after: Preferences): Partial<Preferences> {
  const was = new Map<string, unknown>(Object.entries(before))
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => was.get(name) !== value))
}

function keep(after: Preferences): void {
  preferences.set(after)
  for (const [name, value] of Object.entries(after)) writeCookie(name, String(value))
}

/** Reads the preferences of this device, and keeps the operating system's colour scheme beside them. */
export function startPreferences(): void {
  preferences.set(parsePreferences(document.cookie))
  waiting = readUnkept()
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const keepScheme = () => writeCookie('color-scheme', dark.matches ? 'dark' : 'light')
  keepScheme()
  dark.addEventListener('change', keepScheme)
}
