import type { EvaluateRequest } from '@weft/workflow/interpret/types'

/** What the sandbox in the browser is asked; the scope is JSON text. */
export interface PreviewJob {
  id: number
  request: EvaluateRequest
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
