import { answerPings, tellLogout } from '../lib/bus.ts'
import { store } from '../lib/emitter.ts'
import { consequenceOf, isAway, isFailure } from '../lib/failure.ts'
import { config, isClosed, loadConfig } from '../lib/config.ts'
import { errorText } from '../lib/i18n/names.ts'
import { showDefaultLanguage, startTexts } from '../lib/i18n/i18n.ts'
import { startHistory } from '../lib/navigation/history.ts'
import { startPreferences } from '../lib/preferences.ts'
import {
  end,
  restoreSession,
  sessionBegan,
  sessionEnded,
  signedIn,
  type EndReason,
} from '../lib/session/session.ts'
import { toast } from '../kit/toast/toast.ts'
import type { Workbench } from './workbench.ts'

/** How long the toast of a failed session stays before the sign-in comes. */
const AFTER_FAILURE_MS = 3000

/** What only somebody signed in needs: rights, frame, queries, real time; loaded apart from the sign-in. */
export const workbench = store<Workbench | null>(null)
/** Why the last session ended, for the sign-in page to say. */
export const lastEnd = store<EndReason | null>(null)
/** Told where to go when a session ends. */
let leave: (reason: EndReason) => void = () => {}

/** Loads the signed-in part. */
export async function loadWorkbench(): Promise<void> {
  const [{ startWorkbench }, { loadFrameTexts }] = await Promise.all([
    import('./workbench.ts'),
    import('../lib/i18n/i18n.ts'),
  ])
  await loadFrameTexts()
  if (!workbench.get()) workbench.set(startWorkbench())
}

/** Everything before the first paint: preferences, language, who is here, the configuration for them. */
export async function boot(): Promise<void> {
  answerPings(window)
  startPreferences()
  startHistory()
  await startTexts()
  await start()
  follow()
}

/** Finds out who is here and reads the configuration; again and again while the server cannot be reached. */
export async function start(): Promise<void> {
  try {
    await restoreSession()
  } catch (error) {
    // A refusal is none: the person is simply not signed in. No answer at all says nothing about the session.
    const ends =
      !isFailure(error) || (!isAway(error) && consequenceOf(error.httpStatus, 'session') === 'endSession')
    if (ends) endAfterFailure(error)
  }
  await Promise.all([loadConfig(), signedIn.get() ? loadWorkbench() : undefined])
  await showDefaultLanguage(config.get().defaultLanguage)
}

/** A session that cannot be told good from bad: says so, signs out, and goes to the sign-in after three seconds. */
export function endAfterFailure(error: unknown): void {
  // A lost network says nothing about the session; and what many calls find out at once is said once.
  if (ending || isAway(error)) return
  toast.error(
    isFailure(error)
      ? errorText(error.body.code, error.body.params, error.body.message)
      : errorText('system.failed'),
  )
  ending = setTimeout(() => {
    ending = undefined
    end('failed')
    leave('failed')
  }, AFTER_FAILURE_MS)
}

let ending: ReturnType<typeof setTimeout> | undefined

/** Says how a page is left when the session ends. */
export function onSessionEnd(how: (reason: EndReason) => void): () => void {
  leave = how
  return () => {
    leave = () => {}
  }
}

function follow(): void {
  sessionEnded.on((reason) => {
    lastEnd.set(reason)
    workbench.get()?.stop()
    workbench.set(null)
    tellLogout(window)
    void loadConfig()
    leave(reason)
  })
  sessionBegan.on(() => lastEnd.set(null))
  config.subscribe(watchMaintenance)
  watchMaintenance()
}

let polling: ReturnType<typeof setInterval> | undefined

/** A closed system is asked again every ten seconds, so that its page opens by itself when it is over. */
function watchMaintenance(): void {
  const closed = isClosed(config.get().systemStatus)
  if (closed && !polling) polling = setInterval(() => void loadConfig(), 10_000)
  if (closed || !polling) return
  clearInterval(polling)
  polling = undefined
}
