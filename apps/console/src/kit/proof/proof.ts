import { store } from '../../lib/emitter.ts'
import { isFailure, type Failure } from '../../lib/failure.ts'

/** A person who is asked to show once more who they are. */
export interface Proving {
  answer: (proved: boolean) => void
}

/** The question that is open; the frame shows its dialog. */
export const proving = store<Proving | null>(null)
let asking: Promise<boolean> | undefined

/** Whether a call was refused because it matters and the person showed who they are too long ago. */
export function wantsProof(error: unknown): error is Failure & Error {
  return isFailure(error) && error.body.code === 'auth.confirm_required'
}

/** Asks for the password or the authenticator's code; false when the person would rather not. Several who ask share one dialog. */
export function askForProof(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => {
    proving.set({ answer: resolve })
  }).finally(() => {
    proving.set(null)
    asking = undefined
  })
  return asking
}

/**
 * Does some work; where the server wants the person to show once more who they are, asks them and does it again. Every
 * `call` of the console does so by itself: this is for work that travels in another way. Rejects with the refusal,
 * which toasts and forms keep quiet about, when the person would rather not.
 */
export async function withProof<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!wantsProof(error) || declined.has(error) || !(await askForProof())) throw error
    return work()
  }
}

const declined = new WeakSet()

/** As `withProof`, for `call`: what it rejects with is not asked about a second time. */
export async function mendByProof<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await withProof(work)
  } catch (error) {
    if (wantsProof(error)) declined.add(error)
    throw error
  }
}
