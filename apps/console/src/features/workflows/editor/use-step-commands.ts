import { useCallback, type ClipboardEvent, type KeyboardEvent } from 'react'
import { readFragment } from '@weft/workflow/operations'
import { toast } from '../../../kit/toast/toast.ts'
import { useLanguage } from '../../../lib/i18n/texts.ts'
import { useTogether } from '../../together/together.ts'
import {
  copySelected,
  duplicateSelected,
  extend,
  moveSelected,
  pasteAtFocus,
  removeSelected,
  selectAll,
  selectFocused,
  toggleSelectedDisabled,
  walkTo,
} from '../model/commands.ts'
import { redoEdit, undoEdit, type Update } from '../model/editor-state.ts'
import { commandOf, type OutlineCommand } from '../model/keyboard.ts'
import { useT } from '../text.ts'
import { stepOf, useEditor, useEditorState } from './context.ts'
import { useTestDesk } from './test/test-desk.ts'

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

/** What the page around the steps does. */
export interface StepSurroundings {
  /** Asks which activity is to be added below the focus. */
  addBelow: () => void
  /** Opens the form of the step that has the focus. */
  openPanel: () => void
}

/** The keys and the clipboard of whatever shows the steps: the outline and the canvas obey the same. */
export function useStepCommands({ addBelow, openPanel }: StepSurroundings) {
  const t = useT()
  const state = useEditorState()
  const { update, readOnly, save } = useEditor()
  const desk = useTestDesk()
  const together = useTogether()
  const { rtl } = useLanguage()
  const run = useCallback(
    (command: OutlineCommand) => {
      if (command === 'save') return void save()
      if (command === 'runStep' || command === 'runFrom') {
        const activityId = stepOf(state, state.focus)?.id
        if (activityId !== undefined && !readOnly)
          desk.run({ kind: command === 'runStep' ? 'step' : 'from', activityId })
        return undefined
      }
      if (command === 'comment')
        return together.wanted.emit({ activityId: stepOf(state, state.focus)?.id ?? null, write: true })
      if (readOnly && !LOOKING.has(command)) return
      if (command === 'add') return addBelow()
      if (command === 'edit') return openPanel()
      const change = updateOf(command)
      if (change) update(change)
    },
    [update, save, readOnly, addBelow, openPanel, state, desk, together],
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
  return { onKeyDown, onCopy, onCut: onCopy, onPaste }
}
