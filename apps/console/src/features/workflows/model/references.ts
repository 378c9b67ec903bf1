import type { ProjectNames } from '@weft/contract/projects/values'
import type { OutputType } from '@weft/workflow/catalogue/activity'
import { definitionOf } from '@weft/workflow/catalogue/catalogue'
import type { Activity, WorkflowDocument } from '@weft/workflow/document'
import { isJsonObject, type Json } from '@weft/workflow/json'
import { outlineOf } from '@weft/workflow/outline'

/** A value that an expression can use, by where it comes from. */
export interface ReferenceEntry {
  group: 'inputs' | 'vars' | 'steps' | 'item' | 'loop' | 'error' | 'run' | 'project' | 'secrets' | 'result'
  /** The expression, such as `steps.read.value`. */
  expression: string
  /** What it is, in the author's own words. */
  hint: string
  type: OutputType
  /** It may be missing: it comes from a branch that need not have been taken. */
  maybe?: boolean
}

/** What the types of a project's variables are here. */
const VARIABLE_TYPES: Record<ProjectNames['variables'][number]['type'], OutputType> = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  json: 'any',
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

const FAILURE: readonly Known[] = [
  ['error.class', 'text'],
  ['error.message', 'text'],
]

const LOOPS = ['for-each', 'repeat-until']
/** What lies in these is done each time: its values are there once the container is past. */
const ALWAYS_DONE = ['repeat-until', 'parallel']

/** The values that a step may use: inputs, variables, what steps before it gave, the item, the loop around it. */
export function referencesFor(
  document: WorkflowDocument,
  stepId: string,
  project?: ProjectNames,
): ReferenceEntry[] {
  const places = placesOf(document)
  const self = places.find(({ step }) => step.id === stepId)
  const around = self?.around ?? []
  const inLoop = around.some(({ owner }) => LOOPS.includes(owner.type))
  const isLoop = self !== undefined && LOOPS.includes(self.step.type)
  return [
    ...declared(document),
    ...(self ? stepsInReach(places, self) : []).flatMap(outputsOf),
    ...fixed('loop', inLoop || isLoop ? LOOP : []),
    ...(around.some(({ outcome }) => outcome === 'catch') ? fixed('error', FAILURE) : []),
    ...fixed('item', ITEM),
    ...variablesOf(project),
    ...fixed(
      'secrets',
      (project?.secrets ?? []).map((name) => [`secrets.${name}`, 'text']),
    ),
    ...fixed('run', RUN),
  ]
}

/** What somebody may use who looks back on a whole run: what it gave and how it ended, and every step. */
export function referencesAtEnd(document: WorkflowDocument, project?: ProjectNames): ReferenceEntry[] {
  const places = placesOf(document).filter(({ disabled, unreachable }) => !disabled && !unreachable)
  const given = document.activities.flatMap(({ type, state }) =>
    type === 'finish' && Array.isArray(state['outputs']) ? state['outputs'].flatMap(nameOf) : [],
  )
  return [
    ...fixed(
      'result',
      [...new Set(given)].map((name) => [`outputs.${name}`, 'any']),
    ),
    ...fixed('result', [['result', 'text'], ...FAILURE]),
    ...declared(document),
    ...places.flatMap(({ step, around }) =>
      outputsOf({ step, maybe: !around.every(({ owner }) => ALWAYS_DONE.includes(owner.type)) }),
    ),
    ...fixed('item', ITEM),
    ...variablesOf(project),
    ...fixed('run', RUN),
  ]
}

const nameOf = (row: Json): string[] =>
  isJsonObject(row) && typeof row['name'] === 'string' ? [row['name']] : []

function fixed(group: ReferenceEntry['group'], entries: readonly Known[]): ReferenceEntry[] {
  return entries.map(([expression, type]) => ({ group, expression, hint: '', type }))
}

function declared(document: WorkflowDocument): ReferenceEntry[] {
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
  ]
}

function outputsOf({ step, maybe }: { step: Activity; maybe: boolean }): ReferenceEntry[] {
  return (definitionOf(step.type)?.outputs ?? []).map(({ name, type }) => ({
    group: 'steps',
    expression: `steps.${step.id}.${name}`,
    hint: step.name ?? '',
    type,
    ...(maybe ? { maybe } : {}),
  }))
}

function variablesOf(project: ProjectNames | undefined): ReferenceEntry[] {
  return (project?.variables ?? []).map(({ name, type }) => ({
    group: 'project',
    expression: `project.${name}`,
    hint: '',
    type: VARIABLE_TYPES[type],
  }))
}

/** Where a step stands: its number in the order of the outline, and the bodies around it from the outermost on. */
interface Place {
  step: Activity
  index: number
  around: readonly { owner: Activity; outcome: string }[]
  disabled: boolean
  unreachable: boolean
}

/** The places of all steps, from one walk through the outline. */
function placesOf(document: WorkflowDocument): Place[] {
  const places: Place[] = []
  const bodies: { owner: Activity; outcome: string; depth: number }[] = []
  for (const row of outlineOf(document)) {
    while ((bodies.at(-1)?.depth ?? -1) >= row.depth) bodies.pop()
    if (row.kind === 'outcome') {
      bodies.push({ owner: row.owner, outcome: row.outcome.name, depth: row.depth })
      continue
    }
    const { activity: step, unreachable } = row
    const disabled = step.disabled === true || bodies.some(({ owner }) => owner.disabled === true)
    places.push({ step, index: places.length, around: [...bodies], disabled, unreachable })
  }
  return places
}

/**
 * The steps whose outputs another can use, the nearest first: those before it, of the branches that do not shut each
 * other out; within a loop also what comes later, from the pass before. `maybe`: only if its branch was taken.
 */
function stepsInReach(places: readonly Place[], self: Place): { step: Activity; maybe: boolean }[] {
  const found: { step: Activity; maybe: boolean }[] = []
  for (const other of places.toReversed()) {
    if (other === self || other.disabled || other.unreachable !== self.unreachable) continue
    const reach = reachOf(other, self)
    if (reach !== 'no') found.push({ step: other.step, maybe: reach === 'maybe' })
  }
  return found
}

function reachOf(other: Place, self: Place): 'sure' | 'maybe' | 'no' {
  // What a container gives is there once it is past, so not within it.
  if (self.around.some(({ owner }) => owner === other.step)) return 'no'
  // A loop's own condition is asked after its body.
  if (other.around.some(({ owner }) => owner === self.step))
    return self.step.type === 'repeat-until' ? 'sure' : 'no'
  let level = 0
  while (
    level < other.around.length &&
    level < self.around.length &&
    other.around[level]?.owner === self.around[level]?.owner &&
    other.around[level]?.outcome === self.around[level]?.outcome
  )
    level += 1
  const theirs = other.around[level]
  const ours = self.around[level]
  const parted = theirs !== undefined && theirs.owner === ours?.owner
  // Of what is tried, a part may be done when it is caught; other bodies shut each other out or go side by side.
  if (parted && theirs.owner.type !== 'try-catch') return 'no'
  const inLoop = self.around.slice(0, level).some(({ owner }) => LOOPS.includes(owner.type))
  if (other.index > self.index) return inLoop ? 'maybe' : 'no'
  const sure = !parted && other.around.slice(level).every(({ owner }) => ALWAYS_DONE.includes(owner.type))
  return sure ? 'sure' : 'maybe'
}
