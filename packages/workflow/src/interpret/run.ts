import type { Activity, WorkflowDocument } from '../document.ts'
import { StepError } from '../errors.ts'
import type { ErrorData } from '../errors.ts'
import { indexGraph } from '../graph.ts'
import type { Graph } from '../graph.ts'
import type { Json, JsonObject } from '../json.ts'
import type { HeldSegment, HoldEnd } from './hold.ts'
import { realClock } from './signals.ts'
import type { Clock, ExecuteLimits, ExecuteOptions, JournalEvent, PathSegment } from './types.ts'

/** What every document of one run shares: the call's options, counters and what was looked up. */
export interface Shared {
  options: ExecuteOptions
  clock: Clock
  limits: ExecuteLimits
  counts: { started: number; failed: number }
  secrets: Map<string, Promise<string>>
  /** Where a failure came from, for the checkpoint. */
  origins: WeakMap<StepError, Origin>
}

/** The place of a step that failed. */
export interface Origin {
  stepId: string
  path: PathSegment[]
  error: ErrorData | null
}

/** One document being run: the run's own, or one that it calls. */
export interface Run {
  shared: Shared
  document: WorkflowDocument
  graph: Graph
  inputs: JsonObject
  vars: JsonObject
  steps: { [id: string]: JsonObject }
  /** How many calls deep. */
  depth: number
  /** The one that calls it. */
  parent: Run | null
  /** Goes before the path of each step of a called workflow. */
  pathPrefix: string
}

/** Where in a document the run is. */
export interface Frame {
  path: PathSegment[]
  lane: string
  loop: JsonObject | null
  error: ErrorData | null
  signal: AbortSignal
  /** Tidying up after cancellation: nothing irreversible may happen any more. */
  cleaning: boolean
  /** A long wait does not leave the run: other branches go on, or a failure is on its way out. */
  stays: boolean
  /** The containers that the step is in, those of calling documents too. */
  around: Around | null
  /** On the way to the step at which the run goes on. */
  resume: Resume | null
}

/** The way to the step at which a run goes on. */
export interface Resume {
  segments: (PathSegment & Partial<HeldSegment>)[]
  /** Null for the beginning of the innermost body. */
  stepId: string | null
  /** The wait that the step is in is over: it is not begun anew. */
  end?: HoldEnd
  /** It waited to be tried again: with which attempt it goes on. */
  attempt?: number
}

/** What a container around a step would leave where the run left to wait within it. */
export interface Around {
  input: JsonObject
  error: ErrorData | null
  /** Of a call that names no release. */
  document: WorkflowDocument | null
  outer: Around | null
}

const DEFAULT_LIMITS: ExecuteLimits = {
  maxSteps: 1_000_000,
  maxCallDepth: 8,
  maxOutputBytes: 512 * 1024,
  cleanupSeconds: 10,
  settleSeconds: 5,
}

/** What the documents of a run share, before the first step. */
export function createShared(options: ExecuteOptions): Shared {
  return {
    options,
    clock: options.clock ?? realClock,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    counts: { started: 0, failed: 0 },
    secrets: new Map(),
    origins: new WeakMap(),
  }
}

const emptyValues = { text: '', number: 0, boolean: false, list: [] } as const satisfies Record<
  string,
  unknown
>

/** A value as its declared type, where that is what it plainly means. */
export function asType(type: keyof typeof emptyValues, value: Json): Json | undefined {
  switch (type) {
    case 'text':
      return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined
    case 'number': {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
      return typeof number === 'number' && Number.isFinite(number) ? number : undefined
    }
    case 'boolean':
      if (value === 'true') return true
      if (value === 'false') return false
      return typeof value === 'boolean' ? value : undefined
    default:
      return Array.isArray(value) ? value : undefined
  }
}

function bindInputs(document: WorkflowDocument, given: JsonObject, mayMiss: boolean): JsonObject {
  const inputs: JsonObject = {}
  for (const input of document.inputs) {
    const raw = given[input.name] ?? input.default ?? null
    if (raw === null) {
      if (input.required && !mayMiss) {
        throw new StepError('InputInvalid', `The input "${input.name}" is required.`, {
          params: { input: input.name },
        })
      }
      inputs[input.name] = null
      continue
    }
    const value = asType(input.type, raw)
    if (value === undefined) {
      throw new StepError('InputInvalid', `The input "${input.name}" must be of type ${input.type}.`, {
        params: { input: input.name, type: input.type },
      })
    }
    inputs[input.name] = value
  }
  return inputs
}

const triesOneStep = ({ options: { partly, stopAfter } }: Shared) =>
  partly === true && stopAfter !== undefined

/** Prepares a document to be run; throws where its inputs do not fit. */
export function createRun(
  shared: Shared,
  document: WorkflowDocument,
  given: JsonObject,
  place: Pick<Run, 'depth' | 'parent' | 'pathPrefix'>,
): Run {
  const vars: JsonObject = {}
  for (const { name, type, default: initial } of document.variables) {
    vars[name] = structuredClone(initial ?? emptyVariable(type))
  }
  return {
    shared,
    document,
    graph: indexGraph(document),
    inputs: bindInputs(document, given, place.depth === 0 && triesOneStep(shared)),
    vars,
    steps: {},
    ...place,
  }
}

function emptyVariable(type: keyof typeof emptyValues): Json {
  return type === 'list' ? [] : emptyValues[type]
}

/** A path as one short text: `rows:body[3]/check:true`. */
export function formatPath(path: PathSegment[]): string {
  return path
    .map(({ stepId, outcome, index }) => `${stepId}:${outcome}${index === undefined ? '' : `[${index}]`}`)
    .join('/')
}

type WithoutPlace<E> = E extends unknown ? Omit<E, 'stepId' | 'path' | 'at'> : never

/** Tells the journal about a step. A journal that fails ends the run: what cannot be recorded must not go on. */
export async function tell(
  run: Run,
  frame: Frame,
  activity: Pick<Activity, 'id'>,
  event: WithoutPlace<JournalEvent>,
): Promise<void> {
  const { options, clock } = run.shared
  const path = run.pathPrefix + formatPath(frame.path)
  try {
    await options.journal({ ...event, stepId: activity.id, path, at: clock.now() })
  } catch (cause) {
    throw new StepError('JournalFailed', 'The journal did not take an entry.', { cause })
  }
}
