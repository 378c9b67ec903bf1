import { CATALOGUE } from '../catalogue/catalogue.ts'
import { StepError, toStepError } from '../errors.ts'
import type { Container, ContainerEnd } from './container.ts'
import { Finished } from './finished.ts'
import { parseInput } from './resolve.ts'
import { childSignal } from './signals.ts'

/** Runs the branches at the same time. The first that fails, or finishes the run, stops the others. */
export async function parallel({
  frame,
  activity,
  input,
  resume,
  runBody,
}: Container): Promise<ContainerEnd> {
  const { branches: all } = parseInput(CATALOGUE.parallel.resolvedSchema, input)
  // Only a run that tries out a part goes on within a branch, and then in that one alone.
  const resumed = resume?.segments[0]?.outcome
  const branches = resumed === undefined ? all : all.filter(({ key }) => resumed === `branch:${key}`)
  const group = childSignal([frame.signal])
  const thrown: unknown[] = []
  try {
    await Promise.all(
      branches.map(async ({ key }) => {
        const lane = `${frame.lane === '' ? '' : `${frame.lane}/`}${activity.id}:${key}`
        try {
          await runBody(`branch:${key}`, { lane, signal: group.signal, stays: true })
        } catch (error) {
          thrown.push(error)
          group.abort(new StepError('Cancelled', 'Another branch has ended the step.'))
        }
      }),
    )
  } finally {
    group.dispose()
  }
  const failures = thrown.filter((error) => !(error instanceof Finished)).map(toStepError)
  // An effect that is unknown outweighs everything, even a branch that finished the run.
  const gravest = failures.find(({ uncertain }) => uncertain)
  if (gravest) throw gravest
  if (thrown.length > 0) throw thrown[0]
  return { outcome: 'done', output: {} }
}
