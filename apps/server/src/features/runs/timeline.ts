import type { RunEventMessage } from '@weft/contract/agents/reports'
import type { RunStep } from '@weft/contract/runs/schema'

/** Puts a run's events together into its step timeline: one entry per pass through a step and attempt at it. */
export function timeline(
  events: readonly RunEventMessage[],
  fileIds: ReadonlyMap<number, string>,
): RunStep[] {
  const steps: RunStep[] = []
  const latest = new Map<string, RunStep>()
  for (const event of events) {
    if (event.type === 'stepStarted') {
      const step: RunStep = {
        path: event.path,
        stepId: event.stepId,
        name: event.name,
        type: event.activity,
        attempt: event.attempt,
        state: 'running',
        startedAt: event.at,
        finishedAt: null,
        durationMs: null,
        outcome: null,
        input: event.input ?? null,
        output: null,
        error: null,
        intent: 'none',
        files: [],
      }
      steps.push(step)
      latest.set(event.path, step)
      continue
    }
    const step = latest.get(event.path)
    if (!step) continue
    if (event.type === 'stepFinished') {
      step.state = event.state
      step.finishedAt = event.at
      step.durationMs = event.durationMs
      step.outcome = event.outcome
      step.output = event.output ?? null
      step.error = event.error
    } else if (event.type === 'intent') step.intent = 'announced'
    else if (event.type === 'confirm') step.intent = event.effect === 'done' ? 'confirmed' : 'none'
    // A pause before another attempt is after this one: that has failed already.
    else if (event.type === 'waiting') step.state = step.finishedAt === null ? 'waiting' : step.state
    else if (event.type === 'going') step.state = step.finishedAt === null ? 'running' : step.state
    else if (event.type === 'file') {
      const id = fileIds.get(event.seq)
      if (id) step.files.push(id)
    }
  }
  return steps
}
