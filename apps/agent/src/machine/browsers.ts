import { execFile } from 'node:child_process'
import { access, constants, readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** A browser of this machine that runs can use. */
export interface Browser {
  type: 'chromium' | 'chrome' | 'edge' | 'firefox'
  version: string
  path: string
}

const run = promisify(execFile)

const NAMES: Record<string, Browser['type']> = {
  chromium: 'chromium',
  'chromium-browser': 'chromium',
  'google-chrome': 'chrome',
  'google-chrome-stable': 'chrome',
  'microsoft-edge': 'edge',
  'microsoft-edge-stable': 'edge',
  msedge: 'edge',
}

function wellKnownPaths(): [Browser['type'], string][] {
  const env = process.env
  if (process.platform === 'darwin')
    return [
      ['chrome', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
      ['edge', '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge'],
      ['chromium', '/Applications/Chromium.app/Contents/MacOS/Chromium'],
    ]
  if (process.platform === 'win32')
    return [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']].flatMap((root) =>
      root === undefined
        ? []
        : ([
            ['chrome', join(root, 'Google/Chrome/Application/chrome.exe')],
            ['edge', join(root, 'Microsoft/Edge/Application/msedge.exe')],
            ['chromium', join(root, 'Chromium/Application/chrome.exe')],
          ] satisfies [Browser['type'], string][]),
    )
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return Object.entries(NAMES).flatMap(([name, type]) =>
    folders.map((folder): [Browser['type'], string] => [type, join(folder, name)]),
  )
}

/** The browsers of this machine, the wanted one first. Firefox counts only as the build that Playwright can drive. */
export async function findBrowsers(wanted?: string): Promise<Browser[]> {
  const candidates = wellKnownPaths()
  if (await mayHavePlaywrightFirefox()) {
    // Loaded only where it may matter: it is large, and this process needs nothing else of it.
    const { firefox } = await import('playwright-core')
    candidates.push(['firefox', firefox.executablePath()])
  }
  if (wanted !== undefined) candidates.unshift([typeOfPath(wanted), wanted])
  const found: Browser[] = []
  for (const [type, path] of candidates) {
    const known = found.some((browser) => browser.type === type)
    if (known || path === '' || !(await isExecutable(path))) continue
    found.push({ type, path, version: await versionOf(path) })
  }
  return found
}

function typeOfPath(path: string): Browser['type'] {
  const name = basename(path).toLowerCase()
  if (name.includes('firefox')) return 'firefox'
  if (name.includes('edge')) return 'edge'
  return name.includes('chromium') || !name.includes('chrome') ? 'chromium' : 'chrome'
}

async function mayHavePlaywrightFirefox(): Promise<boolean> {
  const caches = [
    process.env['PLAYWRIGHT_BROWSERS_PATH'],
    join(homedir(), '.cache/ms-playwright'),
    join(homedir(), 'Library/Caches/ms-playwright'),
    join(process.env['LOCALAPPDATA'] ?? '', 'ms-playwright'),
  ]
  const names = await Promise.all(caches.map(async (cache) => (cache ? readdir(cache).catch(() => []) : [])))
  return names.flat().some((name) => name.startsWith('firefox-'))
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

async function versionOf(path: string): Promise<string> {
  // On Windows `--version` opens a window; the version is the name of a folder beside the program.
  if (process.platform === 'win32') {
    const names = await readdir(dirname(path)).catch(() => [])
    return names.find((name) => /^\d+(\.\d+)+$/.test(name)) ?? 'unknown'
  }
  try {
    const { stdout } = await run(path, ['--version'], { timeout: 5000 })
    return /\d+(\.\d+)+/.exec(stdout)?.[0] ?? 'unknown'
  } catch {
    return 'unknown'
  }
}
