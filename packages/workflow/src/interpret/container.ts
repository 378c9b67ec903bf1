import type { Activity } from '../document.ts'
import type { JsonObject } from '../json.ts'
import type { ErrorData } from '../errors.ts'
import type { HoldEnd, HoldRequest } from './hold.ts'
import type { Frame, Resume, Run } from './run.ts'

/** A container at work. */
export interface Container {
  run: Run
  frame: Frame
  activity: Activity
  /** The resolved state, without the fields that are evaluated later. */
  input: JsonObject
  /** The first round goes on somewhere inside instead of beginning. */
  resume: Resume | null
  /** The wait that the container itself was in is over. */
  end: HoldEnd | null
  /** Runs the chain of a body; `about` is the failure that a later body of the container must know of. */
  runBody: (
    outcome: string,
    changes?: Partial<Frame>,
    index?: number,
    about?: ErrorData | null,
  ) => Promise<void>
  /** Waits before a round of a loop. */
  pause: (seconds: number, next: { outcome: string; index: number }) => Promise<void>
  /** Waits in the container itself. */
  wait: (request: HoldRequest) => Promise<HoldEnd>
  /** Runs another document to its end. */
  runDocument: (run: Run, frame: Frame) => Promise<void>
}

/** What a container gives. */
export interface ContainerEnd {
  outcome: string
  output: JsonObject
  /** The body of a decision: it runs after the decision itself is told. */
  proceed?: () => Promise<void>
}

/** How a container runs. */
export interface Control {
  /** Fields that are not evaluated when the container begins. */
  later?: string[]
  run: (container: Container) => Promise<ContainerEnd>
}
