import { preferences as calls } from '@weft/contract/preferences/api'
import type { ChosenPreferences } from '@weft/contract/preferences/schema'
import { call } from './api.ts'
import { isFailure } from './failure.ts'
import { adoptLanguage } from './i18n/i18n.ts'
import { currentLanguage, languageOf } from './i18n/languages.ts'
import { adoptPreferences, choicesKept, noteChoice, somethingChosen, takeChoices } from './preferences.ts'
import { signedIn } from './session/session.ts'

/** Changes that follow within so long travel together; the first of them goes at once. */
const GATHER_MS = 500

/** What keeps the preferences of this device and those of the person the same. */
export interface PreferenceSync {
  /** Reads what the person chose elsewhere. */
  adopt: () => void
  stop: () => void
}

/**
 * Keeps what is chosen here for the person, and takes over what they chose elsewhere. What was chosen on this page and is
 * not yet kept, as on the sign-in page, holds over what is read. Whoever looks on as somebody else keeps their own look.
 */
export function startPreferenceSync(): PreferenceSync {
  if (signedIn.get()?.viewing) return { adopt: () => {}, stop: () => {} }
  let stopped = false
  let quietUntil = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const save = async () => {
    timer = undefined
    const choices = takeChoices()
    if (stopped || Object.keys(choices).length === 0) return
    quietUntil = Date.now() + GATHER_MS
    try {
      await call(calls.change, choices)
      choicesKept()
    } catch (error) {
      // Offline for a moment, say: the next choice takes these along. What the server will never take is let go.
      if (isFailure(error) && error.httpStatus !== 422 && !stopped) noteAgain(choices)
      else choicesKept()
      console.warn('The preferences could not be kept for other devices.', error)
    }
  }
  const saveSoon = () => {
    timer ??= setTimeout(() => void save(), Math.max(0, quietUntil - Date.now()))
  }
  let silent = false
  const noteAgain = (choices: ChosenPreferences) => {
    silent = true
    noteChoice({ ...choices, ...takeChoices() })
    silent = false
  }
  const adopt = async () => {
    const { language, ...looks } = await call(calls.get, {})
    // Chosen here meanwhile, and on its way.
    if (stopped || timer !== undefined) return
    adoptPreferences(looks)
    if (language && language !== currentLanguage.get().code) await adoptLanguage(languageOf(language))
  }
  const adoptQuietly = () =>
    void adopt().catch((error: unknown) => console.warn('The preferences could not be read.', error))

  const leave = somethingChosen.on(() => {
    if (!silent) saveSoon()
  })
  // What was chosen before the sign-in first, then the rest from the person's other devices.
  void save().then(adoptQuietly)
  return {
    adopt: adoptQuietly,
    stop() {
      stopped = true
      clearTimeout(timer)
      takeChoices()
      choicesKept()
      leave()
    },
  }
}
