/** Why an operation cannot be applied. */
export const OPERATION_ERRORS = [
  'operation.unknown_step',
  'operation.unknown_outcome',
  'operation.id_taken',
  'operation.id_invalid',
  'operation.into_itself',
  'operation.nothing_follows',
  'operation.too_many',
  'operation.outcome_taken',
  'operation.already_reached',
  'operation.cycle',
  'operation.not_connected',
  'operation.empty_fragment',
] as const
/** Why an operation cannot be applied. */
export type OperationErrorCode = (typeof OPERATION_ERRORS)[number]

/** Thrown by an operation that does not fit the document; the document is as it was. */
export class OperationError extends Error {
  readonly code: OperationErrorCode
  readonly params: Record<string, string>

  constructor(code: OperationErrorCode, params: Record<string, string> = {}) {
    super(code)
    this.name = 'OperationError'
    this.code = code
    this.params = params
  }
}
