import { startTransition, useCallback, useEffect, useMemo, useRef, useState, type MouseEvent } from 'react'
import type { OutlineRow } from '@weft/workflow/outline'
import type { Problem } from '@weft/workflow/validate'
import { selectTo, shownRows, toggleFold, toggleSelected } from '../../model/commands.ts'
import { focusRow, rowsOf } from '../../model/editor-state.ts'
import type { Update } from '../../model/editor-state.ts'
import { hasInner, positionsOf, rowKey } from '../../model/rows.ts'
import { useT } from '../../text.ts'
import { useEditor, useEditorState } from '../context.ts'
import { useStepCommands, type StepSurroundings } from '../use-step-commands.ts'
import classes from './outline.module.css'
import { OutlineRowView } from './row.tsx'
import { menuPlace } from '../test/menu-place.ts'
import { useTestDesk } from '../test/test-desk.ts'
import { useHasFocus } from './use-has-focus.ts'
import type { RowAct } from './row.tsx'

/** What the outline asks of the page around it. */
interface OutlineProps extends StepSurroundings {
  /** A touch opens the form, where it is not beside the outline. */
  openOnPress: boolean
}

const rowId = (key: string) => `outline-${key.replaceAll(/[^\w-]/g, '_')}`

/** The steps as an indented list that the keyboard can do everything with. */
export function Outline({ openPanel, addBelow, openOnPress }: OutlineProps) {
  const t = useT()
  const state = useEditorState()
  const { update, readOnly, problemsOf } = useEditor()
  const desk = useTestDesk()
  const all = rowsOf(state)
  const rows = useMemo(() => shownRows(state), [state])
  const tree = useRef<HTMLDivElement>(null)
  const hasFocus = useHasFocus(tree)
  const elements = useRef(new Map<string, HTMLDivElement>())

  // The focus follows the row that has it, as long as the keyboard is in the tree.
  useEffect(() => {
    if (state.focus !== null && hasFocus.current) elements.current.get(state.focus)?.focus()
  }, [state, hasFocus])

  // What is gone to from elsewhere, such as by looking for a step, comes into sight and leaves the focus where it is.
  const seen = useRef(state.focus)
  useEffect(() => {
    if (seen.current === state.focus) return
    seen.current = state.focus
    if (state.focus !== null && !hasFocus.current) bringIntoSight(elements.current.get(state.focus))
  }, [state.focus, hasFocus])

  const keys = useStepCommands({ addBelow, openPanel })

  const act = useCallback<RowAct>(
    (what, row, event) => {
      const key = rowKey(row)
      if (what === 'press') {
        update(pressUpdate(row, event))
        const plain = !event.shiftKey && !event.ctrlKey && !event.metaKey
        if (openOnPress && plain && row.kind === 'step') openPanel()
      } else if (what === 'fold') update((now) => toggleFold(now, key))
      else if (what === 'open') openPanel()
      else if (what === 'menu') {
        if (row.kind !== 'step') return
        event.preventDefault()
        update((now) => focusRow(now, key))
        desk.menu.set({ stepId: row.activity.id, ...menuPlace(event) })
      } else {
        update((now) => focusRow(now, key))
        addBelow()
      }
    },
    [update, openPanel, addBelow, openOnPress, desk],
  )
  const register = useCallback((key: string, element: HTMLDivElement | null) => {
    if (element) elements.current.set(key, element)
    else elements.current.delete(key)
  }, [])
  const withInner = useMemo(
    () => new Set(all.flatMap((row, index) => (hasInner(all, index) ? [rowKey(row)] : []))),
    [all],
  )
  const positions = useMemo(() => positionsOf(rows), [rows])
  const drawn = useDrawnRows(rows, state.focus)

  return (
    <div
      ref={tree}
      role="tree"
      tabIndex={-1}
      aria-label={t('outline.label')}
      aria-multiselectable
      className={classes.tree}
      {...keys}
    >
      {drawn.map((row, index) => {
        const key = rowKey(row)
        const stepId = row.kind === 'step' ? row.activity.id : null
        return (
          <OutlineRowView
            key={key}
            id={rowId(key)}
            row={row}
            position={positions[index] ?? { index: 1, size: 1 }}
            focused={state.focus === key || (state.focus === null && index === 0)}
            selected={stepId === null ? state.focus === key : state.selected.has(stepId)}
            inner={!withInner.has(key) ? 'none' : state.folded.has(key) ? 'folded' : 'open'}
            problems={stepId === null ? NO_PROBLEMS : problemsOf(stepId)}
            readOnly={readOnly}
            act={act}
            register={register}
          />
        )
      })}
    </div>
  )
}

/** Scrolls to a row that is not well within the window. */
function bringIntoSight(row: HTMLElement | undefined): void {
  if (!row) return
  const { top, bottom } = row.getBoundingClientRect()
  if (top < innerHeight * 0.2 || bottom > innerHeight * 0.8) row.scrollIntoView({ block: 'center' })
}

const NO_PROBLEMS: readonly Problem[] = []

/** More rows than a tall screen shows. */
const FIRST_ROWS = 40

/** At first the rows that are in sight, and right after that all of them; a focus below brings all at once. */
function useDrawnRows(rows: readonly OutlineRow[], focus: string | null): readonly OutlineRow[] {
  const [whole, setWhole] = useState(false)
  useEffect(() => startTransition(() => setWhole(true)), [])
  const first = useMemo(() => rows.slice(0, FIRST_ROWS), [rows])
  const near = focus === null || first.some((row) => rowKey(row) === focus)
  return whole || !near ? rows : first
}

/** A click chooses; with Shift up to here, with Ctrl besides. */
function pressUpdate(row: OutlineRow, event: MouseEvent): Update {
  const key = rowKey(row)
  if (event.shiftKey) return (state) => selectTo(state, key)
  if ((event.ctrlKey || event.metaKey) && row.kind === 'step')
    return (state) => toggleSelected(state, row.activity.id)
  return (state) => focusRow(state, key)
}
