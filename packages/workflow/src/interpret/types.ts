import type { ActivityOutput, ActivityType, ResolvedInput } from '../catalogue/catalogue.ts'
import type { SideEffect } from '../catalogue/activity.ts'
import type { WorkflowDocument, WorkflowSettings } from '../document.ts'
import type { ErrorData } from '../errors.ts'
import type { TemplatePart } from '../expressions.ts'
import type { Json, JsonObject } from '../json.ts'
import type { GoOn, HeldState, HoldOptions, HoldPlace, HoldRequest } from './hold.ts'

/** Activity types that the interpreter does itself. */
export const builtinTypes = [
  'set-variable',
  'transform',
  'condition',
  'switch',
  'for-each',
  'repeat-until',
  'parallel',
  'try-catch',
  'call-workflow',
  'custom-activity',
  'delay',
  'ask-person',
  'finish',
  'log',
  'notify',
] as const satisfies readonly ActivityType[]
/** An activity type that the interpreter does itself. */
export type BuiltinType = (typeof builtinTypes)[number]
/** An activity type that needs the outside world; the agent supplies its runner. */
export type IoActivityType = Exclude<ActivityType, BuiltinType>

/** What a run is given. */
export interface Bindings {
  /** The workflow's inputs; defaults are filled in by the interpreter. */
  inputs: JsonObject
  /** What the campaign's item binds (account, profile, proxy, phone, video), without secrets. */
  item?: JsonObject
  /** The variables of the project that the workflow belongs to, as they were when the run began. */
  project?: JsonObject
  /** Facts about the run (id, attempt, …); `run.now` is added before each step. */
  run: JsonObject
}

/** One evaluation that a step needs. */
export type EvaluateRequest =
  | { kind: 'expression'; expression: string }
  | { kind: 'template'; parts: TemplatePart[] }
/** What an evaluation gave. */
export type EvaluateResult = { ok: true; value: Json } | { ok: false; code: string; message: string }
/** Evaluates the requests of one step over one scope; the answers are in their order. */
export type Evaluate = (
  requests: EvaluateRequest[],
  scope: JsonObject,
  signal: AbortSignal,
) => Promise<EvaluateResult[]>

/** The levels of a log line. */
export const logLevels = ['debug', 'info', 'warning', 'error'] as const
/** The level of a log line. */
export type LogLevel = (typeof logLevels)[number]

/** What a runner knows of the step that it does. */
export interface StepContext {
  stepId: string
  type: ActivityType
  name: string | null
  /** Which round of which container; empty outside of them. */
  path: string
  attempt: number
  /** The parallel branch, '' outside of one. Steps of different lanes run at the same time and need their own tab. */
  lane: string
  /** Ends the step: cancellation, the run's time limit, or the step's own. A runner must obey it. */
  signal: AbortSignal
  timeLimitSeconds: number
  sideEffect: SideEffect
  log: (level: LogLevel, message: string, params?: JsonObject) => Promise<void>
}

/** Does one activity. It throws `StepError`; anything else becomes `Internal`. */
export type ActivityRunner<T extends IoActivityType> = (
  input: ResolvedInput<T>,
  context: StepContext,
) => Promise<ActivityOutput<T>>

/** A runner for every activity that needs the outside world. */
export type ActivityRunners = { [T in IoActivityType]: ActivityRunner<T> }

/** One step of the way from the document's start to an activity: a container, the body, and the round within it. */
export type PathSegment = { stepId: string; outcome: string; index?: number }

/** Where a journal entry belongs. */
interface StepEntry {
  stepId: string
  path: string
  /** Milliseconds, by the interpreter's clock. */
  at: number
}

/** What the interpreter tells about a run, in order. */
export type JournalEvent =
  | (StepEntry & {
      kind: 'step.started'
      attempt: number
      name: string | null
      type: string
      sideEffect: SideEffect
      /** The resolved input. It may hold secrets: whoever stores or sends it masks them first. */
      input: JsonObject
    })
  | (StepEntry & {
      kind: 'step.finished'
      attempt: number
      type: string
      status: 'succeeded' | 'failed' | 'skipped'
      outcome: string | null
      output: JsonObject | null
      error: ErrorData | null
      durationMs: number
      /** Whether another attempt follows. */
      willRetry: boolean
    })
  | (StepEntry & { kind: 'intent'; attempt: number; type: string })
  | (StepEntry & {
      kind: 'confirm'
      attempt: number
      type: string
      /** `none`: the step failed before it could have had the effect. */
      effect: 'done' | 'none'
    })
  /** A long wait begins, or is over within this run. */
  | (StepEntry & { kind: 'waiting'; for: HoldRequest['kind']; seconds: number })
  | (StepEntry & { kind: 'going' })
  | (StepEntry & { kind: 'log'; level: LogLevel; message: string; params: JsonObject })
  | (StepEntry & {
      kind: 'notify'
      severity: 'info' | 'success' | 'warning' | 'error'
      title: string
      message: string
    })

/**
 * Takes what the interpreter tells. It is awaited, so a slow journal slows the run instead of filling memory; for an
 * `intent` it must not resolve before the entry is durable. A rejection fails the run.
 */
export type Journal = (event: JournalEvent) => void | Promise<void>

/** Time, so that tests can hold it still. */
export interface Clock {
  now: () => number
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Enough to go on from a step in a new run. */
export interface Checkpoint {
  stepId: string
  path: PathSegment[]
  vars: JsonObject
  steps: { [id: string]: JsonObject }
  /** Within `catch`: the failure that led there. */
  error?: ErrorData
}

/** Bounds of one run. */
export interface ExecuteLimits {
  maxSteps: number
  maxCallDepth: number
  maxOutputBytes: number
  /** How long `finally` bodies may take after cancellation or the run's time limit. */
  cleanupSeconds: number
  /** How long a step may take to obey its signal before it is given up. */
  settleSeconds: number
}

/** Everything that a run needs. */
export interface ExecuteOptions {
  document: WorkflowDocument
  bindings: Bindings
  evaluate: Evaluate
  runners: ActivityRunners
  journal: Journal
  /** Cancels the run. */
  signal: AbortSignal
  /** Ends clean-up steps too. */
  stopNow?: AbortSignal
  clock?: Clock
  /** Begins at a step instead of the start. */
  startAt?: Checkpoint
  /** Goes on after a long wait, exactly where it was. */
  goOn?: GoOn
  /** How long waits are dealt with; without it they are slept through, and nobody can be asked. */
  hold?: HoldOptions
  /** Ends after this step; with `startAt` it tests one step. */
  stopAfter?: string
  /**
   * Tries out a part: within a `parallel` only the branch of the step that it begins at is run; where it also stops after
   * that step, nothing else is done, and inputs that are missing are null.
   */
  partly?: boolean
  /** Outputs that stand in for steps of the document: those are not performed. */
  pins?: Readonly<Record<string, JsonObject>>
  loadWorkflow?: (workflowId: string, release: number | null) => Promise<WorkflowDocument>
  /** Gives the value of a project's secret that an expression names. */
  loadSecret?: (name: string) => Promise<string>
  /** Used instead of the document's own. */
  settings?: Partial<WorkflowSettings>
  limits?: Partial<ExecuteLimits>
}

/** How a run ended. */
export interface ExecutionResult {
  status: 'succeeded' | 'failed' | 'cancelled' | 'timed_out' | 'held'
  message: string | null
  outputs: JsonObject
  error: ErrorData | null
  /** Where a new run can go on; null where the run succeeded. */
  checkpoint: Checkpoint | null
  /** The variables and the outputs of the steps at the end; null where it could not begin. */
  values: Pick<Checkpoint, 'vars' | 'steps'> | null
  steps: { started: number; failed: number }
  /** What it waits for and how to go on, where it left to wait. */
  held: { request: HoldRequest; place: HoldPlace; state: HeldState } | null
}
