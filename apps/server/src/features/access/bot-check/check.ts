import { z } from 'zod'
import type { Tx } from '../../../kit/context.ts'
import { AppError } from '../../../kit/app-error.ts'
import type { BotCheck, SystemState } from '../../../kit/deps.ts'
import type { Secrets } from '../../../kit/secrets.ts'
import { readGuarded } from '../guarded/guarded.ts'
import { BOT_CHECK } from './settings.ts'

const WAIT_MS = 5_000
const HELD_MS = 2_000

/** What a verify server answers, as far as it is looked at. */
const verdict = z.object({
  success: z.boolean(),
  score: z.number().optional(),
  action: z.string().optional(),
  hostname: z.string().optional(),
})

export interface BotCheckDeps {
  db: Tx
  secrets: Secrets
  system: Pick<SystemState, 'all'>
  publicUrl: string
}

/**
 * The bot check: off while there is no site key. On, what the browser was given must be vouched for by the verify server,
 * for this action, on this host, and with a score that is high enough.
 */
export function botCheckOf({ db, secrets, system, publicUrl }: BotCheckDeps): BotCheck {
  let held: { url: string; until: number } | undefined
  return {
    // Every page that is served asks.
    async script() {
      if ((await system.all()).googleReCaptchaKey === '') return null
      if (held && held.until > performance.now()) return held.url
      const { value } = await readGuarded(db, secrets, BOT_CHECK)
      held = { url: value.scriptUrl, until: performance.now() + HELD_MS }
      return held.url
    },

    async pass({ action, token, address }) {
      const { googleReCaptchaKey } = await system.all()
      if (googleReCaptchaKey === '') return
      const { value, secret } = await readGuarded(db, secrets, BOT_CHECK)
      if (!value.actions.includes(action)) return
      if (token === undefined) throw new AppError('bot.refused')
      const found = await ask(value.verifyUrl, { secret: secret ?? '', response: token, remoteip: address })
      const fits =
        found.success &&
        found.action === action &&
        found.hostname === new URL(publicUrl).hostname &&
        (found.score ?? 0) >= value.minScore
      if (!fits) throw new AppError('bot.refused')
    },
  }
}

async function ask(url: string, form: Record<string, string>): Promise<z.infer<typeof verdict>> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'error',
      signal: AbortSignal.timeout(WAIT_MS),
    })
    if (!response.ok) throw new Error(`the verify server answered ${response.status}`)
    return verdict.parse(await response.json())
  } catch (cause) {
    throw new AppError('bot.unreachable', {}, { cause, retryAfterSeconds: 30 })
  }
}
