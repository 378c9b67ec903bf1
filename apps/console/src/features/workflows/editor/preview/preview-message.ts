import type { PreviewRequest } from '../../model/preview/known-values.ts'

/** What the sandbox in the browser is asked; the scope is JSON text. */
export interface PreviewJob {
  id: number
  request: PreviewRequest
  scope: string
}

/** What it says: first that it is ready, then one answer for each question. */
export type PreviewAnswer =
  | 'ready'
  | {
      id: number
      /** The value as JSON text. */
      result: { ok: true; text: string } | { ok: false; message: string }
      /** It does not trust itself after this. */
      leaving: boolean
    }
