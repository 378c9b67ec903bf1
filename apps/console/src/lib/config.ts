import type { SystemConfig } from '@weft/contract/system/schema'
import { store } from './emitter.ts'
import { plainCall } from './plain-call.ts'
import { CONFIG_CALL } from './session/calls.ts'
import { freshToken } from './session/session.ts'
import { APP_TITLE } from './preferences.ts'

/** Status codes of the system, as the contract has them; repeated here to keep the boot free of schemas. */
export const RUNNING = 1
export const READ_ONLY = 2

/** The configuration as the console keeps it: what stands behind the bot check's key has a place of its own. */
export type ConsoleConfig = SystemConfig & { extsId: string | null }

/** What holds while the server's configuration is not known: no routes, so that only sign-in and error pages are there. */
export const UNKNOWN_CONFIG: ConsoleConfig = {
  systemStatus: RUNNING,
  siteName: APP_TITLE,
  routes: [],
  googleReCaptchaKey: '',
  extsId: null,
  botCheckScript: '',
  authModes: ['LOCAL'],
  ssoProviders: [],
  defaultLanguage: 'en',
  maintenance: { note: '', until: null, planned: null },
  languages: [],
  needsSetUp: false,
  practiceUrl: null,
  version: '',
}

/** The configuration as this visitor may see it. */
export const config = store<ConsoleConfig>(UNKNOWN_CONFIG)
/** Whether the last try to read it failed. */
export const configFailed = store(false)

/** Reads the configuration, with the routes that this person may see. */
export async function loadConfig(): Promise<void> {
  try {
    const token = await freshToken().catch(() => null)
    const given = await plainCall<SystemConfig>('GET', CONFIG_CALL, { token: token ?? undefined })
    const { key, extsId } = splitBotKey(given.googleReCaptchaKey)
    config.set({ ...given, googleReCaptchaKey: key, extsId })
    configFailed.set(false)
  } catch (error) {
    console.warn('The configuration could not be read.', error)
    configFailed.set(true)
  }
}

/** Whether everything but the maintenance page is closed. */
export function isClosed(status: number): boolean {
  return status !== RUNNING && status !== READ_ONLY
}

/** A bot-check key of exactly four parts carries a further id as its fourth. */
export function splitBotKey(key: string): { key: string; extsId: string | null } {
  const parts = key.split('-')
  if (parts.length !== 4) return { key, extsId: null }
  return { key: parts.slice(0, 3).join('-'), extsId: parts[3] ?? null }
}
