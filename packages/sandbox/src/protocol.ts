/** Any value that JSON can carry. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** A piece of a template: literal text, or an expression. */
export type TemplatePart = { kind: 'text'; text: string } | { kind: 'expression'; expression: string }

/** One evaluation: an expression gives its value, a template one text. */
export type EvaluateRequest =
  | { kind: 'expression'; expression: string }
  | { kind: 'template'; parts: TemplatePart[] }

/** Why an evaluation gave no value. */
export type EvaluateErrorCode =
  /** It ran too long, or did not heed being told to stop. */
  | 'expression.timeout'
  | 'expression.memory'
  /** It threw, or is no expression; the message says what. */
  | 'expression.error'
  /** The expression, its scope or its value is larger than allowed. */
  | 'expression.too_large'
  /** It was called off, or the sandbox is closed. */
  | 'expression.cancelled'

/** What an evaluation gave. */
export type EvaluateResult =
  | { ok: true; value: Json }
  | { ok: false; code: EvaluateErrorCode; message: string }

/** How large things may be, in UTF-8 bytes. */
export const SIZE_LIMITS = {
  expression: 64 * 1024,
  scope: 1024 * 1024,
  value: 1024 * 1024,
} as const

/** No line between parent and child is longer: values are escaped once more within their line. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024

/** What a child is told when it starts. */
export interface ChildSettings {
  interruptMs: number
  runtimeMemoryMb: number
}

/** A line to a child; the next line is the scope, as it is. */
export interface JobLine {
  id: number
  requests: EvaluateRequest[]
}

/** A line from a child: first that it is ready, then one for each request of a job. */
export type ChildLine =
  | { kind: 'ready' }
  | {
      kind: 'result'
      id: number
      index: number
      /** The value as JSON text: it stays text until it has been measured. */
      result: { ok: true; text: string } | { ok: false; code: EvaluateErrorCode; message: string }
      /** The child does not trust itself after this and ends; the rest of the job goes to another. */
      leaving: boolean
    }

/** Whether something a child said has the shape of a line. */
export function isChildLine(said: unknown): said is ChildLine {
  if (typeof said !== 'object' || said === null || !('kind' in said)) return false
  if (said.kind === 'ready') return true
  if (said.kind !== 'result' || !('id' in said) || !('index' in said) || !('result' in said)) return false
  const { result } = said
  if (typeof result !== 'object' || result === null || !('ok' in result)) return false
  if (result.ok === true) return 'text' in result && typeof result.text === 'string'
  return (
    'code' in result &&
    typeof result.code === 'string' &&
    'message' in result &&
    typeof result.message === 'string'
  )
}
