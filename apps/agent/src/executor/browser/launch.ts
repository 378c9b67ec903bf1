import { chromium, firefox, type Browser as PlaywrightBrowser } from 'playwright-core'
import { StepError } from '@weft/workflow/errors'
import type { Browser } from '../../machine/browsers.ts'

/**
 * What the browser does for itself and no run asked for. Only the last list on a command line counts, so that of
 * Playwright is said again.
 */
const DISABLED_FEATURES = [
  'AutofillServerCommunication',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

const CHROMIUM_ARGS = [
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--no-first-run',
  '--no-pings',
  '--password-store=basic',
  // Everything goes through the gate: what would go round it stays off.
  '--disable-quic',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
]

/** A port on which nobody answers. What the browser wants for itself goes nowhere; contexts have the gate of their run. */
const NOWHERE = 'http://127.0.0.1:9'
/** A browser without work is closed after this long. */
const IDLE_MS = 60_000

/** A browser that stays open between runs; each run gets a context of its own in it. */
export class WarmBrowser {
  #idle: NodeJS.Timeout | undefined
  #browser: PlaywrightBrowser | undefined
  #path = ''
  #contexts = 0
  readonly #onChange: (open: boolean) => void

  constructor(onChange: (open: boolean) => void) {
    this.#onChange = onChange
  }

  /** The browser that this run wants, started if it is not open yet. */
  async open(choice: Browser): Promise<PlaywrightBrowser> {
    clearTimeout(this.#idle)
    if (this.#browser?.isConnected() && this.#path === choice.path && this.#contexts < CONTEXTS_PER_BROWSER) {
      this.#contexts += 1
      return this.#browser
    }
    await this.close()
    const browser = await launch(choice)
    browser.on('disconnected', () => {
      if (this.#browser === browser) this.#browser = undefined
      this.#onChange(false)
    })
    this.#browser = browser
    this.#path = choice.path
    this.#contexts = 1
    this.#onChange(true)
    return browser
  }

  /** The run is over; unless another one comes soon the browser goes. */
  rest(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => void this.close().catch(() => undefined), IDLE_MS)
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const browser = this.#browser
    this.#browser = undefined
    await browser?.close()
  }
}

/** A browser is replaced after so many runs, before what leaks in it matters. */
const CONTEXTS_PER_BROWSER = 50

/** The browser for a profile of this type: the same kind, or another of its family. */
export function chooseBrowser(browsers: readonly Browser[], wanted: string | null): Browser {
  const exact = browsers.find(({ type }) => type === wanted)
  if (exact) return exact
  const family =
    wanted === 'firefox' ? ['firefox'] : wanted === 'webkit' ? [] : ['chromium', 'chrome', 'edge']
  const related = browsers.find(({ type }) => family.includes(type))
  if (related) return related
  throw new StepError('ResourceMissing', `This client has no ${wanted ?? 'browser'}.`, {
    params: { browser: wanted },
  })
}

async function launch({ type, path }: Browser): Promise<PlaywrightBrowser> {
  const common = {
    proxy: { server: NOWHERE },
    executablePath: path,
    headless: true,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  }
  try {
    if (type === 'firefox') return await firefox.launch(common)
    // As root there is no sandbox to be had; everybody else keeps it.
    const asRoot = process.getuid?.() === 0
    return await chromium.launch({ ...common, chromiumSandbox: !asRoot, args: CHROMIUM_ARGS })
  } catch (cause) {
    throw new StepError('BrowserCrashed', `The browser did not start: ${firstLine(cause)}`, { cause })
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
}
