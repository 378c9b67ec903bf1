import { config } from './config.ts'

interface BotChecker {
  ready: (then: () => void) => void
  execute: (key: string, options: { action: string }) => Promise<string>
}

/** A script that loads slower than this is as good as none. */
const LOAD_MS = 10_000
let loading: { url: string; done: Promise<BotChecker> } | undefined

function checker(): BotChecker {
  const found: unknown = Reflect.get(window, 'grecaptcha')
  if (found !== null && typeof found === 'object' && 'execute' in found) return found as BotChecker
  throw new Error('The bot check did not start.')
}

function loadScript(url: string): Promise<BotChecker> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    const fail = () => {
      loading = undefined
      script.remove()
      reject(new Error('The bot check could not be loaded.'))
    }
    const timer = setTimeout(fail, LOAD_MS)
    script.src = url
    script.addEventListener('load', () => {
      clearTimeout(timer)
      const found = checker()
      found.ready(() => resolve(found))
    })
    script.addEventListener('error', fail)
    document.head.append(script)
  })
}

/**
 * A token for one action, such as `login`; undefined while the bot check is off, and where its script cannot be had:
 * the server then says so in its own words.
 */
export async function botToken(action: string): Promise<string | undefined> {
  const { googleReCaptchaKey: key, botCheckScript } = config.get()
  if (key === '' || botCheckScript === '') return undefined
  const url = new URL(botCheckScript)
  url.searchParams.set('render', key)
  if (loading?.url !== url.href) loading = { url: url.href, done: loadScript(url.href) }
  try {
    return await (await loading.done).execute(key, { action })
  } catch (error) {
    console.warn('The bot check gave no token.', error)
    return undefined
  }
}
