import { array, assert, property } from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { Activity, WorkflowDocument } from '@weft/workflow/document'
import { indexGraph, subtreeOf } from '@weft/workflow/graph'
import { outlineOf } from '@weft/workflow/outline'
import { edited, randomDocument, randomEdit, tries } from '@weft/workflow/testing/random-edits'
import type { RandomEdit } from '@weft/workflow/testing/random-edits'
import { chainsOf } from './chains.ts'
import type { Merge } from './conflict.ts'
import { choicesFor, mergeDocuments } from './merge.ts'

/*
 * Two people change the same workflow at random. What either of them wrote is in what comes of it, or is shown as a
 * conflict; a failure prints the seed with which it comes again, and the smallest case that shows it.
 */

vi.setConfig({ testTimeout: 60_000 })

const edits = array(randomEdit, { maxLength: 12, size: 'max' })

/** The document after changes, each of which leaves a word of its own in what it writes. */
function editedBy(who: string, base: WorkflowDocument, changes: readonly RandomEdit[]): WorkflowDocument {
  return changes.reduce(
    (document, change, index) => edited(document, { ...change, value: `${who}-${index}-written` }),
    base,
  )
}

const written = (value: unknown) => new Set(JSON.stringify(value).match(/\w+-\d+-written/g))

const ids = (activities: readonly Activity[]) => activities.map(({ id }) => id).toSorted()

/** What one side wrote that is neither in the merged document nor in a conflict, which speaks of a step with all in it. */
function lostOf(side: WorkflowDocument, { document, conflicts }: Merge): string[] {
  const graph = indexGraph(side)
  const asked = conflicts.flatMap((conflict) =>
    conflict.kind === 'step' && graph.byId.has(conflict.id) ? subtreeOf(graph, conflict.id) : [],
  )
  const found = written([document, conflicts, asked])
  return [...written(side)].filter((word) => !found.has(word))
}

test('a thousand pairs of courses of changes: nothing written is lost without being shown', () => {
  assert(
    property(randomDocument(15), edits, edits, (base, one, other) => {
      const mine = editedBy('mine', base, one)
      const theirs = editedBy('theirs', base, other)
      const merge = mergeDocuments({ base, mine, theirs })
      expect(lostOf(mine, merge)).toEqual([])
      expect(lostOf(theirs, merge)).toEqual([])
      const { document } = merge
      expect(ids(outlineOf(document).flatMap((row) => (row.kind === 'step' ? [row.activity] : [])))).toEqual(
        ids(document.activities),
      )
      expect(new Set(ids(document.activities)).size).toBe(document.activities.length)
      for (const side of ['mine', 'theirs'] as const) {
        const versions = { base, mine, theirs }
        const { document: chosen } = mergeDocuments(versions, choicesFor(side, versions))
        expect(lostOf(versions[side], { document: chosen, conflicts: [] })).toEqual([])
      }
    }),
    tries(1000),
  )
})

test('where only one side changed, what comes of it is what that side has', () => {
  assert(
    property(randomDocument(15), edits, (base, changes) => {
      const changed = editedBy('mine', base, changes)
      for (const sides of [
        { mine: changed, theirs: base },
        { mine: base, theirs: changed },
      ]) {
        const { document, conflicts } = mergeDocuments({ base, ...sides })
        expect(conflicts).toEqual([])
        expect(shape(document)).toEqual(shape(changed))
      }
    }),
    tries(300),
  )
})

/** All that counts: where the steps stand that nothing leads to is no order. */
const shape = (document: WorkflowDocument) => ({
  chains: new Map(chainsOf(document).steps),
  steps: new Map(document.activities.map((activity) => [activity.id, activity])),
  inputs: document.inputs,
  variables: document.variables,
  settings: document.settings,
})
