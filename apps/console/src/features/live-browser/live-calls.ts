import { attendedRuns } from '@weft/contract/attended-runs/api'
import { editorBrowsers } from '@weft/contract/editor-browsers/api'
import type { AttendInput } from '@weft/contract/attended-runs/schema'
import { call } from '../../lib/api.ts'

/** How an open browser is seen and worked, by where it was opened from. */
export interface LiveCalls {
  frame: (id: string, after: number, signal: AbortSignal) => Promise<Response>
  input: (id: string, events: AttendInput[]) => Promise<unknown>
}

const INPUT = { timeoutMs: 5000 }

/** Of the sign-in desk. */
export const deskCalls: LiveCalls = {
  frame: (id, after, signal) => call(attendedRuns.frame, { id, after }, { signal }),
  input: (id, events) => call(attendedRuns.input, { id, events }, INPUT),
}

/** Of workflows' editors. */
export const editorCalls: LiveCalls = {
  frame: (id, after, signal) => call(editorBrowsers.frame, { id, after }, { signal }),
  input: (id, events) => call(editorBrowsers.input, { id, events }, INPUT),
}
