const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* .*Safari\//],
]
const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad|iPod/],
  ['ChromeOS', /CrOS/],
  ['Windows', /Windows/],
  ['macOS', /Macintosh|Mac OS X/],
  ['Linux', /Linux|X11/],
]

/** The browser and the system that a user agent speaks of, as far as it does. */
export function deviceOf(userAgent: string): { browser: string | null; system: string | null } {
  const browser = BROWSERS.find(([, pattern]) => pattern.test(userAgent))
  const version = browser && browser[1].exec(userAgent)?.[1]
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))
  return {
    browser: browser ? `${browser[0]} ${version ?? ''}`.trim() : null,
    system: system?.[0] ?? null,
  }
}
