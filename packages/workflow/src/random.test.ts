import { array, assert, nat, property } from 'fast-check'
import { expect, test, vi } from 'vitest'
import { outcomesOf } from './catalogue/catalogue.ts'
import type { WorkflowDocument } from './document.ts'
import { emptyDocument, parseDocument } from './document.ts'
import { change, createHistory, redo, undo } from './history.ts'
import { apply, copyActivities, OperationError, readFragment } from './operations.ts'
import { outlineOf, stepsInOrder } from './outline.ts'
import { decodeDocument, encodeDocument } from './state-codec.ts'
import { operationOf, randomDocument, randomEdit, tries } from './testing/random-edits.ts'

/*
 * What holds for every workflow that can be made, tried on random ones. A failure prints the seed with which
 * it comes again, and the smallest workflow that shows it.
 */

vi.setConfig({ testTimeout: 60_000 })

const text = (document: WorkflowDocument) => JSON.stringify(document)

test('ten thousand courses of changes go back to the start and forward to the end, exactly', () => {
  assert(
    property(array(randomEdit, { minLength: 1, maxLength: 10, size: 'max' }), (edits) => {
      let history = createHistory(emptyDocument())
      const texts = [text(history.present)]
      for (const edit of edits) {
        const before = history
        const operation = operationOf(history.present, edit)
        try {
          if (operation) history = change(history, operation)
        } catch (error) {
          if (!(error instanceof OperationError)) throw error
        }
        if (history !== before) texts.push(text(history.present))
      }
      for (const expected of texts.toReversed()) {
        expect(text(history.present)).toBe(expected)
        history = undo(history)
      }
      for (const expected of texts) {
        expect(text(history.present)).toBe(expected)
        history = redo(history)
      }
    }),
    tries(10_000),
  )
})

test('a thousand workflows come through outline, wire, clipboard and renaming as they were', () => {
  assert(
    property(randomDocument(40), nat(), (document, which) => {
      expect(parseDocument(JSON.parse(text(document)))).toEqual({ ok: true, value: document })
      expect(decodeDocument(JSON.parse(JSON.stringify(encodeDocument(document))))).toEqual({
        ok: true,
        value: document,
      })
      expect(linesByOutline(document)).toEqual(linesOf(document))

      const steps = stepsInOrder(document)
      expect(steps.map(({ id }) => id).toSorted()).toEqual(document.activities.map(({ id }) => id).toSorted())
      const reached = reachedIn(document)
      const heads = reached.flatMap((row) => (row.kind === 'step' ? [row.activity.id] : []))
      if (heads.length > 0) {
        const fragment = readFragment(JSON.stringify(copyActivities(document, heads)))
        if (!fragment) throw new Error('the clipboard lost the steps')
        const pasted = apply(emptyDocument(), { kind: 'paste', fragment, place: { at: 'start' } })
        expect(reachedIn(pasted)).toEqual(reached)
      }

      const step = steps[which % Math.max(1, steps.length)]
      if (!step) return
      const renamed = apply(document, { kind: 'renameActivity', id: step.id, newId: 'for_a_moment' })
      expect(text(renamed)).not.toContain(`steps.${step.id}.`)
      expect(apply(renamed, { kind: 'renameActivity', id: 'for_a_moment', newId: step.id })).toEqual(document)
    }),
    tries(1000),
  )
})

/** The lines that count: one that leaves by an outcome which its step has no more leads nowhere until it has it again. */
const linesIn = ({ activities, connections }: WorkflowDocument) =>
  connections.filter(({ from, outcome }) => {
    const source = activities.find(({ id }) => id === from)
    return source && outcomesOf(source).some(({ name }) => name === outcome)
  })

const linesOf = (document: WorkflowDocument) =>
  linesIn(document)
    .map(({ from, outcome, to }) => `${from} ${outcome} ${to}`)
    .toSorted()

/** The connections as the rows of the outline tell them: what stands below what, and how deep. */
function linesByOutline(document: WorkflowDocument): string[] {
  const lines: string[] = []
  /** By depth: the step, or the body, that the next row of that depth follows. */
  const above = new Map<number, { from: string; outcome: string }>()
  const led = new Set(linesIn(document).map(({ to }) => to))
  for (const row of outlineOf(document)) {
    if (row.kind === 'outcome') {
      above.set(row.depth + 1, { from: row.owner.id, outcome: row.outcome.name })
      continue
    }
    const { id } = row.activity
    const before = above.get(row.depth)
    if (before && led.has(id)) lines.push(`${before.from} ${before.outcome} ${id}`)
    above.set(row.depth, { from: id, outcome: 'done' })
  }
  return lines.toSorted()
}

/** What can be reached, and where it stands. */
const reachedIn = (document: WorkflowDocument) =>
  outlineOf(document).filter(({ unreachable }) => !unreachable)
