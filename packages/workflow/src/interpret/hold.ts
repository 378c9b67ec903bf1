import type { WorkflowDocument } from '../document.ts'
import type { ErrorData } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import type { HOLD_ENDINGS, Question } from '../question.ts'
import type { PathSegment } from './types.ts'

/** What a run waits for when it waits long: a time, or a person's answer within a time. */
export type HoldRequest =
  | { kind: 'time'; seconds: number }
  | { kind: 'question'; seconds: number; question: Question }

/** How a long wait ended. */
export interface HoldEnd {
  ending: (typeof HOLD_ENDINGS)[number]
  /** By field; of an answered question. */
  answers: JsonObject
  /** Who answered. */
  by: string | null
}

/** One container that a held run is in, with what it had worked out when it began. */
export interface HeldSegment extends PathSegment {
  input: JsonObject
  /** How much of its time limit is used up. */
  spentMs: number
  /** What `catch` is about. */
  error?: ErrorData
  /** Of a called workflow: its own values, and the document where the call names no release. */
  call?: { vars: JsonObject; steps: Record<string, JsonObject>; document?: WorkflowDocument }
}

/** All that a new run needs to go on exactly where this one waits. Values are as they are: whoever stores it seals it. */
export interface HeldState {
  /** From the document's start inwards. */
  segments: HeldSegment[]
  /**
   * The step that waits; null between two rounds of the innermost loop. Of one that waits to be tried again it names the
   * attempt that comes next, in a shape that older agents refuse: they would take the step for done.
   */
  stepId: string | null | { id: string; attempt: number }
  vars: JsonObject
  steps: Record<string, JsonObject>
  /** How much of the run's time limit and of its steps is used up. */
  spentMs: number
  started: number
}

/** A run that goes on after a long wait. */
export interface GoOn {
  state: HeldState
  end: HoldEnd
}

/** Where a step that waits stands, for whoever tells of it. */
export interface HoldPlace {
  stepId: string
  name: string | null
  /** Which round of which container. */
  path: string
}

/** How long waits are dealt with. */
export interface HoldOptions {
  /** Shorter waits are slept through. */
  afterSeconds: number
  /** Ends this run at a long wait, so that another goes on after it; not where what has to be kept is larger than this. */
  leave: { maxBytes: number } | null
  /** Waits without leaving: in a test run, and between parallel branches. */
  inPlace: (request: HoldRequest, place: HoldPlace, signal: AbortSignal) => Promise<HoldEnd>
  /** Takes a picture for a question. */
  picture?: (place: HoldPlace, lane: string) => Promise<void>
}

/** Thrown where a run leaves to wait; the containers on the way out add what they know. It is no failure. */
export class Held extends Error {
  readonly request: HoldRequest
  readonly place: HoldPlace
  readonly segments: HeldSegment[] = []
  /** Null between two rounds of a loop. */
  stepId: string | null
  /** The attempt of the step that comes next, where it waits to be tried again. */
  attempt: number | null = null

  constructor(request: HoldRequest, place: HoldPlace) {
    super('held')
    this.request = request
    this.place = place
    this.stepId = place.stepId
  }
}
