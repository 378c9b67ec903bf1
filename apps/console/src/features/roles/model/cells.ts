import { ACTIONS, SUBJECTS, type Action, type Rule, type Subject } from '@weft/contract/core/permissions'

/** What one rule says of one action on one function: for which records, and for which of their fields. */
export interface Grant {
  conditions?: NonNullable<Rule['conditions']>
  fields?: string[]
}

/** One cell of the matrix. */
export interface Cell {
  allows: readonly Grant[]
  forbids: readonly Grant[]
}

/** Cells by `SUBJECT.ACTION`; one that is not there allows nothing. */
export type Matrix = Readonly<Record<string, Cell>>

/** no: nothing; yes: all records; own: one's own; some: as conditions or fields say. */
export type CellState = 'no' | 'yes' | 'own' | 'some'

/** "Own records", as a condition. */
export const OWN: NonNullable<Rule['conditions']> = { ownerId: '${user.id}' }
export const NOTHING: Cell = { allows: [], forbids: [] }
export const EVERYTHING: Cell = { allows: [{}], forbids: [] }
export const OWN_ONLY: Cell = { allows: [{ conditions: OWN }], forbids: [] }

/** Where a cell stands. */
export function cellKey(subject: Subject, action: Action): string {
  return `${subject}.${action}`
}

/** Rules as cells. */
export function matrixOf(rules: readonly Rule[]): Matrix {
  const matrix: Record<string, { allows: Grant[]; forbids: Grant[] }> = {}
  for (const rule of rules)
    for (const subject of subjectsOf(rule))
      for (const action of actionsOf(rule)) {
        const cell = (matrix[cellKey(subject, action)] ??= { allows: [], forbids: [] })
        const grant: Grant = {
          ...(rule.conditions ? { conditions: rule.conditions } : {}),
          ...(rule.fields ? { fields: rule.fields } : {}),
        }
        const list = rule.inverted ? cell.forbids : cell.allows
        if (!list.some((one) => sameGrant(one, grant))) list.push(grant)
      }
  return matrix
}

/** Cells as rules, as few as can be: what is alike goes together. */
export function rulesOf(matrix: Matrix): Rule[] {
  return [...grouped(matrix, 'allows'), ...grouped(matrix, 'forbids')]
}

function grouped(matrix: Matrix, side: keyof Cell): Rule[] {
  const bySubject = new Map<string, { subject: Subject; grant: Grant; actions: Action[] }>()
  for (const subject of SUBJECTS)
    for (const action of ACTIONS)
      for (const grant of matrix[cellKey(subject, action)]?.[side] ?? []) {
        const key = `${subject} ${grantKey(grant)}`
        const known = bySubject.get(key)
        if (known) known.actions.push(action)
        else bySubject.set(key, { subject, grant, actions: [action] })
      }
  const alike = new Map<string, { subjects: Subject[]; grant: Grant; actions: Action[] }>()
  for (const { subject, grant, actions } of bySubject.values()) {
    const key = `${actions.join(' ')} ${grantKey(grant)}`
    const known = alike.get(key)
    if (known) known.subjects.push(subject)
    else alike.set(key, { subjects: [subject], grant, actions })
  }
  return [...alike.values()].map(({ subjects, grant, actions }) => ({
    action: actions,
    subject: subjects,
    ...grant,
    ...(side === 'forbids' ? { inverted: true } : {}),
  }))
}

/** What a cell comes to. */
export function stateOf(cell: Cell | undefined): CellState {
  if (!cell || cell.allows.length === 0) return 'no'
  if (cell.forbids.some(isWhole)) return 'no'
  if (cell.forbids.length > 0) return 'some'
  if (cell.allows.some(isWhole)) return 'yes'
  const [only, ...more] = cell.allows
  return only && more.length === 0 && sameGrant(only, { conditions: OWN }) ? 'own' : 'some'
}

/** The cell after one step round: no, yes, own records, no. One with conditions of its own goes to no. */
export function nextCell(cell: Cell | undefined, hasOwner: boolean): Cell {
  const state = stateOf(cell)
  if (state === 'no') return EVERYTHING
  return state === 'yes' && hasOwner ? OWN_ONLY : NOTHING
}

/** Whether two cells say the same. */
export function sameCell(one: Cell | undefined, other: Cell | undefined): boolean {
  return JSON.stringify(one ?? NOTHING) === JSON.stringify(other ?? NOTHING)
}

/** The keys of cells that differ. */
export function changedCells(before: Matrix, after: Matrix): ReadonlySet<string> {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return new Set([...keys].filter((key) => !sameCell(before[key], after[key])))
}

function isWhole(grant: Grant): boolean {
  return grant.conditions === undefined && grant.fields === undefined
}

function sameGrant(one: Grant, other: Grant): boolean {
  return grantKey(one) === grantKey(other)
}

function grantKey({ conditions, fields }: Grant): string {
  return JSON.stringify([conditions ?? null, fields ?? null])
}

function subjectsOf({ subject }: Rule): readonly Subject[] {
  if (subject === 'all') return SUBJECTS
  return Array.isArray(subject) ? subject : [subject]
}

function actionsOf({ action }: Rule): readonly Action[] {
  return Array.isArray(action) ? action : [action]
}
