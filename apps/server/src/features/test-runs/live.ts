import type { RunEventMessage } from '@weft/contract/agents/reports'
import type { LogLine } from '@weft/contract/runs/schema'
import type { LiveStep, TestRunMessage } from '@weft/contract/test-runs/schema'
import type { HeldRun } from '../agents/work.ts'

/** Where the person who started a test run hears of it. */
export type TestSink = (userId: string, message: TestRunMessage) => void

/** Tells of the steps that events speak of, if they are those of a test run. */
export function stepsTold(
  sink: TestSink,
  run: HeldRun | undefined,
  events: readonly RunEventMessage[],
): void {
  const steps = liveSteps(events)
  if (steps.length > 0) tell(sink, run, { lines: [], steps })
}

/** Tells of lines of the log, if they are a test run's. */
export function linesTold(sink: TestSink, run: HeldRun, lines: readonly LogLine[]): void {
  if (lines.length > 0) tell(sink, run, { lines: [...lines], steps: [] })
}

function tell(sink: TestSink, run: HeldRun | undefined, what: Pick<TestRunMessage, 'lines' | 'steps'>): void {
  if (!run || run.tester === null || run.workflow_id === null) return
  sink(run.tester, { runId: run.id, workflowId: run.workflow_id, ...what, ended: false })
}

/** What events say of the states of steps. Pure. */
export function liveSteps(events: readonly RunEventMessage[]): LiveStep[] {
  return events.flatMap((event): LiveStep[] => {
    if (event.type !== 'stepStarted' && event.type !== 'stepFinished') return []
    const { path, stepId, attempt, at } = event
    const running = { state: 'running', durationMs: null, outcome: null, error: null } as const
    if (event.type === 'stepStarted') return [{ path, stepId, attempt, at, ...running }]
    const { state, durationMs, outcome, error } = event
    return [{ path, stepId, attempt, at, state, durationMs, outcome, error }]
  })
}
