import type { Activity } from '../document.ts'
import { StepError } from '../errors.ts'
import { byteLength } from '../json.ts'
import { Held } from './hold.ts'
import type { HoldEnd, HoldRequest } from './hold.ts'
import { formatPath, tell } from './run.ts'
import type { Frame, Run } from './run.ts'

/** That the time has come, for waits that were slept through. */
const DUE: HoldEnd = { ending: 'due', answers: {}, by: null }

/**
 * Waits. A short wait is slept through; at a long one the run leaves, or waits where it is: between parallel branches,
 * while it tidies up after a failure, and where too much would have to be kept.
 */
export async function waitFor(
  run: Run,
  frame: Frame,
  activity: Activity,
  request: HoldRequest,
  { signal, limitSeconds }: { signal: AbortSignal; limitSeconds: number },
): Promise<HoldEnd> {
  const { clock, options } = run.shared
  const { hold } = options
  const isLong = request.kind === 'question' || (hold !== undefined && request.seconds >= hold.afterSeconds)
  // A wait beyond the step's own limit fails at that limit, wherever it waits.
  if (!hold || !isLong || request.seconds > limitSeconds) {
    if (request.kind === 'question')
      throw new StepError('WorkflowInvalid', 'Nobody can be asked here.', { params: { code: 'ask.nobody' } })
    await clock.sleep(request.seconds * 1000, signal)
    return DUE
  }
  const place = {
    stepId: activity.id,
    name: activity.name ?? null,
    path: run.pathPrefix + formatPath(frame.path),
  }
  const { kind, seconds } = request
  await tell(run, frame, activity, { kind: 'waiting', for: kind, seconds })
  if (hold.leave && !frame.stays && !frame.cleaning && bytesOf(run, frame) <= hold.leave.maxBytes)
    throw new Held(request, place)
  const end = await hold.inPlace(request, place, signal)
  await tell(run, frame, activity, { kind: 'going' })
  return end
}

/** How much would be left to be kept, about: the values of the run and of those that called it, and what it is in. */
function bytesOf(run: Run, { around }: Pick<Frame, 'around'>): number {
  const size = (known: unknown) => byteLength(JSON.stringify(known))
  let bytes = 0
  for (let at: Run | null = run; at; at = at.parent) bytes += size([at.vars, at.steps])
  for (let at = around; at; at = at.outer) bytes += size([at.input, at.error, at.document])
  return bytes
}
