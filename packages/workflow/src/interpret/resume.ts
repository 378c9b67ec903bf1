import { sideEffectOf } from '../catalogue/catalogue.ts'
import type { WorkflowDocument } from '../document.ts'
import { StepError } from '../errors.ts'
import { enclosing, indexGraph, subtreeOf } from '../graph.ts'
import type { Resume } from './run.ts'
import type { Checkpoint } from './types.ts'

/**
 * The way to the step at which a run goes on. Branches of a `parallel` go on together, so it begins again as a whole;
 * where one of them could repeat an irreversible step, going on is refused and only a new run from the start remains. A run
 * that tries out a part goes on in one branch alone.
 */
export function planResume(
  document: WorkflowDocument,
  checkpoint: Pick<Checkpoint, 'stepId' | 'path'>,
  { partly = false } = {},
): Resume {
  const graph = indexGraph(document)
  if (!graph.byId.has(checkpoint.stepId)) {
    throw new StepError('WorkflowInvalid', `There is no step "${checkpoint.stepId}" to go on at.`, {
      params: { step: checkpoint.stepId },
    })
  }
  const around = enclosing(graph, checkpoint.stepId)
  const segments = around.map(({ container, outcome }, position) => {
    const known = checkpoint.path[position]
    const index = known?.stepId === container.id ? known.index : undefined
    return { stepId: container.id, outcome, ...(index === undefined ? {} : { index }) }
  })
  const at = around.findIndex(({ container }) => container.type === 'parallel')
  const parallel = around[at]?.container
  if (!parallel || partly) return { segments, stepId: checkpoint.stepId }
  const repeats = subtreeOf(graph, parallel.id).some((activity) => sideEffectOf(activity) === 'irreversible')
  if (repeats) {
    throw new StepError('WorkflowInvalid', 'A run cannot go on inside branches with irreversible steps.', {
      params: { code: 'resume.irreversible_branches', step: parallel.id },
    })
  }
  return { segments: segments.slice(0, at), stepId: parallel.id }
}
