import { ActionIcon, Button, Modal, Tooltip } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowDown,
  IconArrowForwardUp,
  IconArrowUp,
  IconClipboard,
  IconCopy,
  IconCopyPlus,
  IconEyeOff,
  IconIndentDecrease,
  IconIndentIncrease,
  IconKeyboard,
  IconListTree,
  IconPlayerPlay,
  IconPlus,
  IconPuzzle,
  IconSitemap,
  IconTrash,
  type Icon,
} from '@tabler/icons-react'
import { Fragment, memo, useCallback, useState } from 'react'
import { useNavigate } from 'react-router'
import { readFragment } from '@weft/workflow/operations'
import { shutIf } from '../../../../kit/actions/shut.ts'
import { toast } from '../../../../kit/toast/toast.ts'
import { copyText } from '../../../../kit/values/copy.ts'
import {
  copySelected,
  duplicateSelected,
  moveSelected,
  pasteAtFocus,
  removeSelected,
  toggleSelectedDisabled,
} from '../../model/commands.ts'
import type { Direction } from '../../model/edit.ts'
import { redoEdit, undoEdit, type EditorState } from '../../model/editor-state.ts'
import { text } from '../../../../lib/i18n/texts.ts'
import { useCan } from '../../../../lib/can.ts'
import { useLatest, useSteady } from '../../../../lib/use-latest.ts'
import { workflowPath } from '../../actions.ts'
import { useT } from '../../text.ts'
import { focusedStep, useEditor, useEditorState, type Editor } from '../context.ts'
import { Find } from '../find.tsx'
import { useTestDesk } from '../test/test-desk.ts'
import { useView } from '../use-view.ts'
import classes from './outline.module.css'

interface Tool {
  icon: Icon
  keys: string
  flip?: boolean
  /** What it does to the document; copying and pasting have the clipboard to do with. */
  change?: (now: EditorState, at: number) => EditorState
}

const move = (direction: Direction) => (now: EditorState, at: number) => moveSelected(now, direction, at)

const TOOLS = {
  undo: { icon: IconArrowBackUp, keys: 'Ctrl+Z', flip: true, change: undoEdit },
  redo: { icon: IconArrowForwardUp, keys: 'Ctrl+Shift+Z', flip: true, change: redoEdit },
  moveUp: { icon: IconArrowUp, keys: 'Alt+↑', change: move('up') },
  moveDown: { icon: IconArrowDown, keys: 'Alt+↓', change: move('down') },
  moveOut: { icon: IconIndentDecrease, keys: 'Alt+←', flip: true, change: move('out') },
  moveIn: { icon: IconIndentIncrease, keys: 'Alt+→', flip: true, change: move('in') },
  duplicate: { icon: IconCopyPlus, keys: 'Ctrl+D', change: duplicateSelected },
  copy: { icon: IconCopy, keys: 'Ctrl+C' },
  paste: { icon: IconClipboard, keys: 'Ctrl+V' },
  toggle: { icon: IconEyeOff, keys: 'Ctrl+/', change: toggleSelectedDisabled },
  remove: { icon: IconTrash, keys: 'Delete', change: removeSelected },
} satisfies Record<string, Tool>
type ToolId = keyof typeof TOOLS

const GROUPS: ToolId[][] = [
  ['undo', 'redo'],
  ['moveUp', 'moveDown', 'moveOut', 'moveIn'],
  ['duplicate', 'copy', 'paste', 'toggle', 'remove'],
]

/** What the keyboard does in the outline, as buttons. */
export const OutlineToolbar = memo(function OutlineToolbar({ addBelow }: { addBelow: () => void }) {
  const t = useT()
  const { readOnly } = useEditor()
  const [help, setHelp] = useState(false)
  return (
    <div className={classes.toolbar} role="toolbar" aria-label={t('toolbar.label')}>
      {!readOnly && (
        <>
          <Button size="compact-sm" leftSection={<IconPlus size={15} aria-hidden />} onClick={addBelow}>
            {t('toolbar.add')}
          </Button>
          <Tools />
          <MakeActivity />
        </>
      )}
      <TryStep />
      <span className={classes.end}>
        <Find />
        <ViewSwitch />
      </span>
      <Tooltip label={t('toolbar.keys')}>
        <ActionIcon size={30} aria-label={t('toolbar.keys')} onClick={() => setHelp(true)}>
          <IconKeyboard size={17} />
        </ActionIcon>
      </Tooltip>
      <Modal
        closeButtonProps={{ 'aria-label': text('kit:common.close') }}
        opened={help}
        onClose={() => setHelp(false)}
        title={t('toolbar.keys')}
      >
        <Keys />
      </Modal>
    </div>
  )
})

/** What can be done to the chosen steps. */
function Tools() {
  const tools = useTools()
  return GROUPS.map((group) => (
    <Fragment key={group[0]}>
      <span className={classes.divider} aria-hidden />
      {group.map((id) => (
        <ToolButton key={id} id={id} disabled={tools.isDisabled(id)} run={tools.run} />
      ))}
    </Fragment>
  ))
}

/** Leads to a new activity of one's own that begins with the chosen steps; what is not saved here is kept. */
function MakeActivity() {
  const navigate = useNavigate()
  const may = useCan()('CREATE', 'ACTIVITY')
  const { workflow } = useEditor()
  const state = useEditorState()
  const latest = useLatest(state)
  const make = useSteady(() => {
    const steps = copySelected(latest.current)
    if (steps)
      void navigate('/cms/config/activity/new', {
        state: { steps: JSON.stringify(steps), back: workflowPath(workflow.id) },
      })
  })
  if (!may) return null
  return <MakeActivityButton disabled={state.selected.size === 0} make={make} />
}

const MakeActivityButton = memo(function MakeActivityButton(props: { disabled: boolean; make: () => void }) {
  const t = useT()
  return (
    <Tooltip label={t('toolbar.makeActivity')}>
      <ActionIcon
        size={30}
        aria-label={t('toolbar.makeActivity')}
        disabled={props.disabled}
        onClick={props.make}
      >
        <IconPuzzle size={17} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
})

/** The menu of the step with the focus, for those who have no second button. */
function TryStep() {
  const desk = useTestDesk()
  const step = focusedStep(useEditorState())
  const open = useSteady((button: Element) => {
    if (step) desk.menu.set({ stepId: step.id, ...below(button) })
  })
  return <TryButton disabled={!step} open={open} />
}

const TryButton = memo(function TryButton(props: { disabled: boolean; open: (button: Element) => void }) {
  const t = useT()
  const { disabled, open } = props
  return (
    <Tooltip label={t('test.menu')}>
      <ActionIcon
        size={30}
        aria-label={t('test.menu')}
        aria-haspopup="menu"
        disabled={disabled}
        onClick={(event) => open(event.currentTarget)}
      >
        <IconPlayerPlay size={17} className="flip-rtl" aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
})

function below(element: Element): { x: number; y: number } {
  const { left, right, bottom } = element.getBoundingClientRect()
  return { x: document.documentElement.dir === 'rtl' ? right : left, y: bottom }
}

const VIEWS = [
  ['outline', IconListTree],
  ['canvas', IconSitemap],
] as const

function ViewSwitch() {
  const t = useT()
  const [view, show] = useView()
  return (
    <fieldset className={classes.views}>
      <legend className="unseen">{t('view.label')}</legend>
      {VIEWS.map(([name, Icon]) => (
        <Button
          key={name}
          size="compact-sm"
          variant={view === name ? 'light' : 'subtle'}
          color={view === name ? undefined : 'gray'}
          leftSection={<Icon size={15} className={name === 'outline' ? 'flip-rtl' : undefined} aria-hidden />}
          aria-pressed={view === name}
          onClick={() => show(name)}
        >
          {t(`view.${name}`)}
        </Button>
      ))}
    </fieldset>
  )
}

function useTools() {
  const t = useT()
  const state = useEditorState()
  const { update } = useEditor()
  const latest = useLatest(state)
  const run = useCallback(
    (id: ToolId) => {
      const { change }: Tool = TOOLS[id]
      if (change) update((now) => change(now, Date.now()))
      else if (id === 'copy') {
        const fragment = copySelected(latest.current)
        if (fragment)
          void copyText(JSON.stringify(fragment)).then((done) => done && toast.success(t('toolbar.copied')))
      } else void paste(update, t)
    },
    [update, latest, t],
  )
  const isDisabled = (id: ToolId) => {
    if (id === 'undo') return state.history.past.length === 0
    if (id === 'redo') return state.history.future.length === 0
    return id !== 'paste' && state.selected.size === 0
  }
  return { run, isDisabled }
}

async function paste(update: Editor['update'], t: ReturnType<typeof useT>): Promise<void> {
  // Browsers give the clipboard to a button only on a secure page; the keyboard works everywhere.
  const held = window.isSecureContext ? await navigator.clipboard.readText().catch(() => null) : null
  const fragment = held === null ? null : readFragment(held)
  if (fragment) update((now) => pasteAtFocus(now, fragment, Date.now()))
  else toast.info(held === null ? t('toolbar.pasteByKey') : t('outline.nothingToPaste'))
}

/** Drawn anew only where it opens or shuts: the place of its hint takes long to find. */
const ToolButton = memo(function ToolButton(props: {
  id: ToolId
  disabled: boolean
  run: (id: ToolId) => void
}) {
  const t = useT()
  const { id, disabled, run } = props
  const tool: Tool = TOOLS[id]
  const label = t(`toolbar.${id}`)
  return (
    <Tooltip label={`${label} (${tool.keys})`}>
      <ActionIcon size={30} aria-label={label} {...shutIf(disabled, () => run(id))}>
        <tool.icon size={17} className={tool.flip ? 'flip-rtl' : undefined} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
})

const KEYS = [
  ['↑ ↓ Home End', 'walk'],
  ['← →', 'fold'],
  ['Shift+↑ Shift+↓ Ctrl+A', 'select'],
  ['Alt+↑ Alt+↓', 'move'],
  ['Alt+← Alt+→', 'indent'],
  ['Enter', 'edit'],
  ['Insert +', 'add'],
  ['Delete', 'remove'],
  ['Ctrl+D', 'duplicate'],
  ['Ctrl+C Ctrl+X Ctrl+V', 'clipboard'],
  ['Ctrl+/', 'toggle'],
  ['Ctrl+Z Ctrl+Shift+Z', 'undo'],
  ['Ctrl+S', 'save'],
  ['Ctrl+Enter Ctrl+Shift+Enter', 'test'],
  ['C', 'comment'],
  ['Shift+F10', 'menu'],
  ['Escape', 'clear'],
] as const

function Keys() {
  const t = useT()
  return (
    <dl className={classes.keys}>
      {KEYS.map(([keys, id]) => (
        <Fragment key={id}>
          <dt>
            {keys.split(' ').map((key) => (
              <Fragment key={key}>
                <kbd>{key}</kbd>{' '}
              </Fragment>
            ))}
          </dt>
          <dd>{t(`keys.${id}`)}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
