import { splitBotKey } from '../../lib/config.ts'
import { botKey } from './enter.ts'

interface BotChecker {
  ready: (then: () => void) => void
  execute: (key: string, options: { action: string }) => Promise<string>
}

const SCRIPT = 'https://www.google.com/recaptcha/api.js'
let loading: Promise<void> | undefined

function checker(): BotChecker | undefined {
  const found: unknown = Reflect.get(window, 'grecaptcha')
  return found !== null && typeof found === 'object' && 'execute' in found ? (found as BotChecker) : undefined
}

function loadScript(key: string): Promise<void> {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `${SCRIPT}?render=${encodeURIComponent(key)}`
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      loading = undefined
      reject(new Error('The bot check could not be loaded.'))
    })
    document.head.append(script)
  })
  return loading
}

/** A token for one action, such as `login`; undefined while the bot check is off. */
export async function botToken(action: string): Promise<string | undefined> {
  const { key } = splitBotKey(botKey())
  if (key === '') return undefined
  await loadScript(key)
  const found = checker()
  if (!found) throw new Error('The bot check did not start.')
  await new Promise<void>((resolve) => found.ready(resolve))
  return found.execute(key, { action })
}
