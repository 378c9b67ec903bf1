import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
} from 'react'
import { readFragment } from '@weft/workflow/operations'
import type { OutlineRow } from '@weft/workflow/outline'
import type { Problem } from '@weft/workflow/validate'
import { toast } from '../../../../kit/toast/toast.ts'
import { useLanguage } from '../../../../lib/i18n/texts.ts'
import {
  copySelected,
  duplicateSelected,
  extend,
  moveSelected,
  pasteAtFocus,
  removeSelected,
  selectAll,
  selectFocused,
  selectTo,
  shownRows,
  toggleFold,
  toggleSelected,
  toggleSelectedDisabled,
  walkTo,
} from '../../model/commands.ts'
import { focusRow, redoEdit, rowsOf, undoEdit } from '../../model/editor-state.ts'
import type { Update } from '../../model/editor-state.ts'
import { commandOf } from '../../model/keyboard.ts'
import type { OutlineCommand } from '../../model/keyboard.ts'
import { hasInner, positionsOf, rowKey } from '../../model/rows.ts'
import { useT } from '../../text.ts'
import { useEditor, useEditorState } from '../context.ts'
import classes from './outline.module.css'
import { OutlineRowView } from './row.tsx'
import { useHasFocus } from './use-has-focus.ts'
import type { RowAct } from './row.tsx'

/** What the outline asks of the page around it. */
interface OutlineProps {
  /** Opens the form of the step that has the focus. */
  openPanel: () => void
  /** Asks which activity is to be added below the focus. */
  addBelow: () => void
  /** A touch opens the form, where it is not beside the outline. */
  openOnPress: boolean
}

const rowId = (key: string) => `outline-${key.replaceAll(/[^\w-]/g, '_')}`

/** The commands that change nothing. */
const LOOKING = new Set<OutlineCommand>([
  'up',
  'down',
  'first',
  'last',
  'out',
  'in',
  'extendUp',
  'extendDown',
  'edit',
  'selectAll',
  'clear',
])

/** What a command does to the editor; nothing for those that the page does. */
function updateOf(command: OutlineCommand): Update | undefined {
  const now = Date.now()
  switch (command) {
    case 'up':
    case 'down':
    case 'first':
    case 'last':
    case 'out':
    case 'in':
      return (state) => walkTo(state, command)
    case 'extendUp':
      return (state) => extend(state, -1)
    case 'extendDown':
      return (state) => extend(state, 1)
    case 'moveUp':
      return (state) => moveSelected(state, 'up', now)
    case 'moveDown':
      return (state) => moveSelected(state, 'down', now)
    case 'moveIn':
      return (state) => moveSelected(state, 'in', now)
    case 'moveOut':
      return (state) => moveSelected(state, 'out', now)
    case 'remove':
      return (state) => removeSelected(state, now)
    case 'duplicate':
      return (state) => duplicateSelected(state, now)
    case 'toggleDisabled':
      return (state) => toggleSelectedDisabled(state, now)
    case 'undo':
      return undoEdit
    case 'redo':
      return redoEdit
    case 'selectAll':
      return selectAll
    case 'clear':
      return selectFocused
    default:
      return undefined
  }
}

/** The steps as an indented list that the keyboard can do everything with. */
export function Outline({ openPanel, addBelow, openOnPress }: OutlineProps) {
  const t = useT()
  const state = useEditorState()
  const { update, readOnly, save, problemsOf } = useEditor()
  const { rtl } = useLanguage()
  const all = rowsOf(state)
  const rows = useMemo(() => shownRows(state), [state])
  const tree = useRef<HTMLDivElement>(null)
  const hasFocus = useHasFocus(tree)
  const elements = useRef(new Map<string, HTMLDivElement>())

  // The focus follows the row that has it, as long as the keyboard is in the tree.
  useEffect(() => {
    if (state.focus !== null && hasFocus.current) elements.current.get(state.focus)?.focus()
  }, [state, hasFocus])

  const run = useCallback(
    (command: OutlineCommand) => {
      if (command === 'save') return void save()
      if (readOnly && !LOOKING.has(command)) return
      if (command === 'add') return addBelow()
      if (command === 'edit') return openPanel()
      const change = updateOf(command)
      if (change) update(change)
    },
    [update, save, readOnly, addBelow, openPanel],
  )

  const onKeyDown = (event: KeyboardEvent) => {
    const command = commandOf(event, rtl)
    if (!command) return
    event.preventDefault()
    event.stopPropagation()
    run(command)
  }

  const onCopy = (event: ClipboardEvent) => {
    const fragment = copySelected(state)
    if (!fragment) return
    event.preventDefault()
    event.clipboardData.setData('text/plain', JSON.stringify(fragment))
    if (event.type === 'cut' && !readOnly) run('remove')
  }
  const onPaste = (event: ClipboardEvent) => {
    if (readOnly) return
    event.preventDefault()
    const fragment = readFragment(event.clipboardData.getData('text/plain'))
    if (fragment) update((now) => pasteAtFocus(now, fragment, Date.now()))
    else toast.info(t('outline.nothingToPaste'))
  }

  const act = useCallback<RowAct>(
    (what, row, event) => {
      const key = rowKey(row)
      if (what === 'press') {
        update(pressUpdate(row, event))
        const plain = !event.shiftKey && !event.ctrlKey && !event.metaKey
        if (openOnPress && plain && row.kind === 'step') openPanel()
      } else if (what === 'fold') update((now) => toggleFold(now, key))
      else if (what === 'open') openPanel()
      else {
        update((now) => focusRow(now, key))
        addBelow()
      }
    },
    [update, openPanel, addBelow, openOnPress],
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

  return (
    <div
      ref={tree}
      role="tree"
      tabIndex={-1}
      aria-label={t('outline.label')}
      aria-multiselectable
      className={classes.tree}
      onKeyDown={onKeyDown}
      onCopy={onCopy}
      onCut={onCopy}
      onPaste={onPaste}
    >
      {rows.map((row, index) => {
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

const NO_PROBLEMS: readonly Problem[] = []

/** A click chooses; with Shift up to here, with Ctrl besides. */
function pressUpdate(row: OutlineRow, event: MouseEvent): Update {
  const key = rowKey(row)
  if (event.shiftKey) return (state) => selectTo(state, key)
  if ((event.ctrlKey || event.metaKey) && row.kind === 'step')
    return (state) => toggleSelected(state, row.activity.id)
  return (state) => focusRow(state, key)
}
