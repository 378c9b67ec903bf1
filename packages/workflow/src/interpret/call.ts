import { CATALOGUE } from '../catalogue/catalogue.ts'
import { CUSTOM_ACTIVITY } from '../catalogue/flow.ts'
import { StepError, toStepError } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import type { Container, ContainerEnd } from './container.ts'
import { Finished } from './finished.ts'
import { Held } from './hold.ts'
import { parseInput } from './resolve.ts'
import { createRun, formatPath } from './run.ts'

/** Runs another workflow, or the body of a custom activity, within this run: own inputs, variables and outputs, the same browser and the same end. */
export async function callDocument(container: Container): Promise<ContainerEnd> {
  const { run, frame, activity, runDocument } = container
  const { options, limits, origins } = run.shared
  const { id, number, inputs } = calledBy(container)
  if (run.depth >= limits.maxCallDepth) {
    throw new StepError('CallDepth', `Workflows call each other more than ${limits.maxCallDepth} deep.`, {
      params: { max: limits.maxCallDepth },
    })
  }
  if (!options.loadWorkflow) {
    throw new StepError('WorkflowMissing', 'Other workflows cannot be called here.', {
      params: { workflowId: id },
    })
  }
  const kept = container.resume?.segments[0]?.call
  const document = kept?.document ?? (await options.loadWorkflow(id, number))
  const here = formatPath(frame.path)
  const inner = createRun(run.shared, document, inputs, {
    depth: run.depth + 1,
    parent: run,
    pathPrefix: `${run.pathPrefix}${here}${here === '' ? '' : '/'}${activity.id}>`,
  })
  if (kept) Object.assign(inner, structuredClone({ vars: kept.vars, steps: kept.steps }))
  let outputs: JsonObject = {}
  try {
    await runDocument(inner, { ...frame, path: [], loop: null, error: null })
  } catch (thrown) {
    if (thrown instanceof Held) throw thrown
    if (!(thrown instanceof Finished)) {
      const error = toStepError(thrown)
      // A new run goes on at the call: the steps inside belong to a document of their own.
      origins.set(error, { stepId: activity.id, path: frame.path, error: frame.error })
      throw error
    }
    outputs = thrown.outputs
  }
  return { outcome: 'done', output: { outputs } }
}

/** What the step calls, and with which inputs. */
function calledBy({ activity, input }: Container): { id: string; number: number | null; inputs: JsonObject } {
  if (activity.type === CUSTOM_ACTIVITY) {
    const { activityId, version, inputs = {} } = parseInput(CATALOGUE[CUSTOM_ACTIVITY].resolvedSchema, input)
    return { id: activityId, number: version, inputs }
  }
  const { workflowId, release, inputs = {} } = parseInput(CATALOGUE['call-workflow'].resolvedSchema, input)
  return { id: workflowId, number: release ?? null, inputs }
}
