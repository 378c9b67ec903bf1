import type { JsonObject } from './json.ts'

/**
 * Whether a failure of this class leaves the world as it was. `none` means that the step failed before it could have an
 * effect, so it may be tried again; `unknown` means that the effect of an irreversible step may have happened.
 */
export type EffectAfterError = 'none' | 'unknown'

/** Every class of failure of a step or a run: whether trying again may help, and what is known of its effect. */
export const ERROR_CLASSES = {
  ElementNotFound: { retryable: true, effect: 'none' },
  ElementNotUsable: { retryable: true, effect: 'none' },
  Timeout: { retryable: true, effect: 'unknown' },
  AssertionFailed: { retryable: true, effect: 'unknown' },
  NavigationFailed: { retryable: true, effect: 'unknown' },
  BrowserCrashed: { retryable: false, effect: 'unknown' },
  DomainNotAllowed: { retryable: false, effect: 'none' },
  AccountMissing: { retryable: false, effect: 'none' },
  AccountRejected: { retryable: false, effect: 'unknown' },
  PersonNeeded: { retryable: false, effect: 'unknown' },
  ResourceMissing: { retryable: false, effect: 'none' },
  ExpressionError: { retryable: false, effect: 'none' },
  InputInvalid: { retryable: false, effect: 'none' },
  HttpError: { retryable: true, effect: 'unknown' },
  UploadFailed: { retryable: true, effect: 'unknown' },
  DownloadFailed: { retryable: true, effect: 'unknown' },
  TooLarge: { retryable: false, effect: 'unknown' },
  LoopLimit: { retryable: false, effect: 'none' },
  StepLimit: { retryable: false, effect: 'none' },
  CallDepth: { retryable: false, effect: 'none' },
  WorkflowMissing: { retryable: false, effect: 'none' },
  WorkflowInvalid: { retryable: false, effect: 'none' },
  DeclaredFailure: { retryable: false, effect: 'none' },
  JournalFailed: { retryable: false, effect: 'none' },
  Cancelled: { retryable: false, effect: 'unknown' },
  TimeLimit: { retryable: false, effect: 'unknown' },
  Internal: { retryable: false, effect: 'unknown' },
} as const satisfies Record<string, { retryable: boolean; effect: EffectAfterError }>

/** A class of failure. */
export type ErrorClass = keyof typeof ERROR_CLASSES

/** A failure as plain data, for journals, results and expressions. */
export type ErrorData = {
  class: ErrorClass
  message: string
  params: JsonObject
  stepId: string | null
  /** The effect of an irreversible step may have happened. */
  uncertain: boolean
}

/** A failure of a step. Runners of activities throw it; anything else they throw becomes `Internal`. */
export class StepError extends Error {
  readonly class: ErrorClass
  readonly params: JsonObject
  readonly effect: EffectAfterError
  readonly retryable: boolean
  stepId: string | null = null
  /** Set by the interpreter once the step had announced an effect that is now unknown. */
  uncertain = false

  constructor(
    errorClass: ErrorClass,
    message: string,
    options: {
      params?: JsonObject
      cause?: unknown
      /** Where the thrower knows better than the class. */
      effect?: EffectAfterError
      retryable?: boolean
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = errorClass
    this.class = errorClass
    this.params = options.params ?? {}
    this.effect = options.effect ?? ERROR_CLASSES[errorClass].effect
    this.retryable = options.retryable ?? ERROR_CLASSES[errorClass].retryable
  }

  /** This failure as plain data. */
  toData(): ErrorData {
    return {
      class: this.class,
      message: this.message,
      params: this.params,
      stepId: this.stepId,
      uncertain: this.uncertain,
    }
  }
}

/** Whatever was thrown, as a failure of a step. */
export function toStepError(thrown: unknown): StepError {
  if (thrown instanceof StepError) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new StepError('Internal', message, { cause: thrown })
}
