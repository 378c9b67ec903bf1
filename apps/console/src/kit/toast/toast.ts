import { store } from '../../lib/emitter.ts'
import { consequenceOf, isFailure, isMissingChunk } from '../../lib/failure.ts'
import { errorText } from '../../lib/i18n/names.ts'
import { text } from '../../lib/i18n/texts.ts'

export type ToastType = 'info' | 'success' | 'warning' | 'error' | 'default'

/** A button in a toast, such as "Undo". */
export interface ToastAction {
  label: string
  run: () => void
}

/** A toast that waits for, or is shown by, the host. */
export interface ToastEntry {
  id: number
  type: ToastType
  message: string
  detail?: string | undefined
  action?: ToastAction | undefined
  /** The same message once more while it is shown: counted instead of stacked. */
  times: number
}

/** How long a toast stays. */
export const TOAST_MS = 5000
const MOST = 5

/** What is shown now, oldest first. */
export const toasts = store<readonly ToastEntry[]>([])
let lastId = 0

function show(type: ToastType, message: string, more: { detail?: string; action?: ToastAction } = {}): void {
  const same = toasts.get().find((entry) => entry.type === type && entry.message === message && !entry.action)
  const others = toasts.get().filter((entry) => entry !== same)
  lastId += 1
  toasts.set([...others, { id: lastId, type, message, times: (same?.times ?? 0) + 1, ...more }].slice(-MOST))
}

/** Takes a toast away. */
export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((entry) => entry.id !== id))
}

/** Short notices at the top of the page. */
export const toast = {
  info: (message: string) => show('info', message),
  success: (message: string, action?: ToastAction) => show('success', message, action ? { action } : {}),
  warning: (message: string) => show('warning', message),
  error: (message: string, detail?: string) => show('error', message, detail ? { detail } : {}),
  default: (message: string) => show('default', message),
  /** What a failed call says, in the person's language, with the request's id where there is one. */
  failure: (error: unknown): void => {
    if (!isFailure(error)) {
      console.error(error)
      return show('error', isMissingChunk(error) ? text('kit:common.notLoaded') : errorText('system.failed'))
    }
    // The sign-in comes by itself and says why.
    if (consequenceOf(error.httpStatus, 'action') === 'signIn') return undefined
    const { code, params, message, requestId } = error.body
    // The person was asked who they are and would rather not: they know.
    if (code === 'auth.confirm_required') return undefined
    show(
      'error',
      errorText(code, failureParams(params, error.retryAfterSeconds), message),
      requestId ? { detail: text('kit:common.requestId', { id: requestId }) } : {},
    )
  },
  /** What the server said with a success: the console's own words where it knows the sentence. */
  fromServer: (message: string): void => {
    const known = SERVER_SENTENCES[message]
    show('success', known ? text(known) : message)
  },
}

const SERVER_SENTENCES: Record<string, string> = {
  'Insert data successfully': 'kit:toasts.created',
  'Update successfully': 'kit:toasts.updated',
}

/** An error's params, with the seconds of `Retry-After` where the code speaks of them and the params do not. */
export function failureParams(
  params: Record<string, string | number | boolean | null> | undefined,
  retryAfterSeconds: number | undefined,
) {
  return { ...(retryAfterSeconds === undefined ? {} : { seconds: retryAfterSeconds }), ...params }
}
