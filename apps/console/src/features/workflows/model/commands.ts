import { copyActivities } from '@weft/workflow/operations'
import type { Fragment, Place } from '@weft/workflow/operations'
import {
  addStep,
  countWithInner,
  duplicateSteps,
  moveSteps,
  moveStepsTo,
  pasteSteps,
  placeAt,
  removeSteps,
  toggleDisabled,
} from './edit.ts'
import type { Direction } from './edit.ts'
import { attempt, documentOf, edit, focusRow, rowsOf } from './editor-state.ts'
import type { EditorState } from './editor-state.ts'
import { rowAfterRemoval, rowKey, stepsBetween, visibleRows, walk } from './rows.ts'

/** The rows that are seen. */
export const shownRows = (state: EditorState) => visibleRows(rowsOf(state), state.folded)

/** Moves the focus by an arrow key. */
export function walkTo(state: EditorState, command: Parameters<typeof walk>[0]): EditorState {
  const rows = shownRows(state)
  const index = rows.findIndex((row) => rowKey(row) === state.focus)
  const step = walk(command, { all: rowsOf(state), rows, index, folded: state.folded })
  const { fold, unfold } = step
  const folded =
    fold || unfold
      ? new Set([...state.folded, ...(fold ? [fold] : [])].filter((key) => key !== unfold))
      : state.folded
  const row = rows[step.to]
  return row ? focusRow({ ...state, folded }, rowKey(row)) : state
}

/** Widens the selection by a row from where it began. */
export function extend(state: EditorState, by: 1 | -1): EditorState {
  const rows = shownRows(state)
  const index = rows.findIndex((row) => rowKey(row) === state.focus)
  const row = rows[Math.min(rows.length - 1, Math.max(0, index + by))]
  return row ? selectTo(state, rowKey(row)) : state
}

/** Selects everything from where the selection began to a row. */
export function selectTo(state: EditorState, key: string): EditorState {
  const anchor = state.anchor ?? state.focus ?? key
  return { ...state, focus: key, anchor, selected: new Set(stepsBetween(shownRows(state), anchor, key)) }
}

/** Adds a step to the selection, or takes it out. */
export function toggleSelected(state: EditorState, id: string): EditorState {
  const selected = new Set(state.selected)
  if (!selected.delete(id)) selected.add(id)
  return { ...state, focus: id, anchor: id, selected }
}

/** Selects all steps. */
export const selectAll = (state: EditorState): EditorState => ({
  ...state,
  selected: new Set(documentOf(state).activities.map(({ id }) => id)),
})

/** Selects only what has the focus. */
export const selectFocused = (state: EditorState): EditorState => focusRow(state, state.focus)

/** Folds or opens what lies below a row. */
export function toggleFold(state: EditorState, key: string): EditorState {
  const folded = new Set(state.folded)
  if (!folded.delete(key)) folded.add(key)
  return { ...state, folded }
}

/** Adds a step of a type at a place, or below the focus. */
export function addAt(state: EditorState, type: string, at: number, place?: Place): EditorState {
  return attempt(state, () => {
    const added = addStep(documentOf(state), type, place ?? placeAt(documentOf(state), state.focus))
    return edit(state, added.document, { at, focus: added.focus })
  })
}

/** Removes what is selected; where that is more than was chosen, it says how many went. */
export function removeSelected(state: EditorState, at: number): EditorState {
  if (state.selected.size === 0) return state
  const document = documentOf(state)
  const count = countWithInner(document, state.selected)
  const next = removeSteps(document, state.selected)
  const kept = new Set(next.activities.map(({ id }) => id))
  const gone = new Set(document.activities.map(({ id }) => id).filter((id) => !kept.has(id)))
  const focus = state.focus === null ? null : rowAfterRemoval(shownRows(state), gone, state.focus)
  const more = count > state.selected.size ? { notice: { code: 'removed', params: { count } } } : {}
  return edit(state, next, { at, focus, ...more })
}

/** Puts copies of what is selected after it. */
export function duplicateSelected(state: EditorState, at: number): EditorState {
  if (state.selected.size === 0) return state
  return attempt(state, () => {
    const { document, focus } = duplicateSteps(documentOf(state), state.selected, copyActivities)
    return edit(state, document, { at, focus })
  })
}

/** Moves what is selected; the selection stays on it. */
export function moveSelected(state: EditorState, direction: Direction, at: number): EditorState {
  if (state.selected.size === 0) return state
  return attempt(state, () => {
    const moved = moveSteps(documentOf(state), state.selected, direction)
    return moved ? edit(state, moved, { at }) : state
  })
}

/** Takes steps to a place; they are what is selected then. */
export function moveTo(state: EditorState, ids: ReadonlySet<string>, place: Place, at: number): EditorState {
  return attempt(state, () => {
    const moved = moveStepsTo(documentOf(state), ids, place)
    return { ...edit(state, moved, { at }), selected: ids }
  })
}

/** Selects these steps; the first of them gets the focus. */
export function selectSteps(state: EditorState, ids: readonly string[]): EditorState {
  const [first] = ids
  if (first === undefined) return state
  return { ...focusRow(state, first), selected: new Set(ids) }
}

/** Switches what is selected off or on. */
export function toggleSelectedDisabled(state: EditorState, at: number): EditorState {
  return edit(state, toggleDisabled(documentOf(state), state.selected), { at })
}

/** What is selected, for the clipboard. */
export function copySelected(state: EditorState): Fragment | null {
  return state.selected.size === 0 ? null : copyActivities(documentOf(state), [...state.selected])
}

/** Puts copied steps below the focus. */
export function pasteAtFocus(state: EditorState, fragment: Fragment, at: number): EditorState {
  return attempt(state, () => {
    const { document, focus } = pasteSteps(
      documentOf(state),
      fragment,
      placeAt(documentOf(state), state.focus),
    )
    return edit(state, document, { at, focus })
  })
}
