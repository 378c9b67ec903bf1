import type { OutputType } from '@weft/workflow/catalogue/activity'
import { definitionOf } from '@weft/workflow/catalogue/catalogue'
import type { WorkflowDocument } from '@weft/workflow/document'
import { enclosing, indexGraph } from '@weft/workflow/graph'
import { stepsInOrder } from '@weft/workflow/outline'

/** A value that an expression can use, by where it comes from. */
export interface ReferenceEntry {
  group: 'inputs' | 'vars' | 'steps' | 'item' | 'loop' | 'error' | 'run'
  /** The expression, such as `steps.read.value`. */
  expression: string
  /** What it is, in the author's own words. */
  hint: string
  type: OutputType
}

/** An expression and the type of its value. */
type Known = readonly [expression: string, type: OutputType]

const ITEM: readonly Known[] = [
  ['item.account.username', 'text'],
  ['item.account.displayName', 'text'],
  ['item.account.email', 'text'],
  ['item.account.channelName', 'text'],
  ['item.profile.name', 'text'],
  ['item.phone.phoneNumber', 'text'],
  ['item.video.title', 'text'],
  ['item.video.description', 'text'],
  ['item.video.file', 'file'],
  ['item.proxy.host', 'text'],
  ['item.client.name', 'text'],
  ['item.campaign.title', 'text'],
  ['item.seq', 'number'],
]
const RUN: readonly Known[] = [
  ['run.id', 'text'],
  ['run.attempt', 'number'],
  ['run.now', 'text'],
]
const LOOP: readonly Known[] = [
  ['loop.value', 'any'],
  ['loop.index', 'number'],
  ['loop.count', 'number'],
]

/** The values that a step may use: inputs, variables, what steps before it gave, the item, the loop around it. */
export function referencesFor(document: WorkflowDocument, stepId: string): ReferenceEntry[] {
  const graph = indexGraph(document)
  const order = stepsInOrder(document)
  const around = enclosing(graph, stepId)
  const loops = ['for-each', 'repeat-until']
  const inLoop = around.some(({ container }) => loops.includes(container.type))
  const self = graph.byId.get(stepId)
  const isLoop = self !== undefined && loops.includes(self.type)
  const before = order.slice(
    0,
    Math.max(
      0,
      order.findIndex(({ id }) => id === stepId),
    ),
  )
  const fixed = (group: ReferenceEntry['group'], entries: readonly Known[]): ReferenceEntry[] =>
    entries.map(([expression, type]) => ({ group, expression, hint: '', type }))
  return [
    ...document.inputs.map(({ name, label, type }): ReferenceEntry => ({
      group: 'inputs',
      expression: `inputs.${name}`,
      hint: label ?? '',
      type,
    })),
    ...document.variables.map(({ name, type }): ReferenceEntry => ({
      group: 'vars',
      expression: `vars.${name}`,
      hint: '',
      type,
    })),
    ...before.flatMap((step) =>
      (definitionOf(step.type)?.outputs ?? []).map(({ name, type }): ReferenceEntry => ({
        group: 'steps',
        expression: `steps.${step.id}.${name}`,
        hint: step.name ?? '',
        type,
      })),
    ),
    ...fixed('loop', inLoop || isLoop ? LOOP : []),
    ...(around.some(({ outcome }) => outcome === 'catch')
      ? fixed('error', [
          ['error.class', 'text'],
          ['error.message', 'text'],
        ])
      : []),
    ...fixed('item', ITEM),
    ...fixed('run', RUN),
  ]
}
