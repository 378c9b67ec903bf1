import type { Job } from '@weft/contract/agents/jobs'
import type { WorkflowDocument } from '@weft/workflow/document'
import type { LogUpload } from './log-upload.ts'
import type { NewEvent, PendingFile, RunJournal } from './journal.ts'

/** Why a run shall stop before its end. */
export interface StopOrder {
  mode: 'graceful' | 'now'
  /** `cancel`: the server asked. `lease`: the hold on it is gone. `agent`: this program stops. */
  why: 'cancel' | 'lease' | 'agent'
  reason: string
}

/** One run that this agent holds, from its claim until the server has settled its end. */
export interface HeldRun {
  readonly journal: RunJournal
  readonly job: Job
  readonly document: WorkflowDocument | null
  readonly log: LogUpload
  /** The slot that it occupies; null once its executor has ended it. */
  slot: number | null
  /** The server has been asked to start it, and has answered. */
  begun: boolean
  /** The step it is at, for heartbeats. */
  step: string | null
  stop: StopOrder | null
  /** Ends its executor if it does not stop by itself in time. */
  killTimer: NodeJS.Timeout | undefined
  killed: boolean
  /** Ended when files that wait shall no longer be uploaded. */
  readonly uploads: AbortController
  uploading: Promise<void>
  /** What a person does in it is opened one after another. */
  inputs: Promise<void>
}

/** An event that belongs to no step. */
export function runNotice(level: 'info' | 'warn' | 'error', text: string): NewEvent {
  return {
    type: 'notice',
    at: new Date().toISOString(),
    path: '',
    stepId: '',
    level,
    text: text.slice(0, 4000),
  }
}

/** The event by which an uploaded file becomes part of its run. */
export function fileEvent(file: PendingFile, stored: { sha256: string; size: number }): NewEvent {
  const { kind, name, contentType, at, path, stepId } = file
  return { type: 'file', at, path, stepId, kind, name, contentType, ...stored }
}
