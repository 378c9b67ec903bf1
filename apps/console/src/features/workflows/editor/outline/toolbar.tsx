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
  IconSitemap,
  IconTrash,
  type Icon,
} from '@tabler/icons-react'
import { Fragment, useState } from 'react'
import { readFragment } from '@weft/workflow/operations'
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
import { redoEdit, undoEdit } from '../../model/editor-state.ts'
import { text } from '../../../../lib/i18n/texts.ts'
import { useT } from '../../text.ts'
import { focusedStep, useEditor, useEditorState } from '../context.ts'
import { Find } from '../find.tsx'
import { useTestDesk } from '../test/test-desk.ts'
import { useView } from '../use-view.ts'
import classes from './outline.module.css'

interface Tool {
  id:
    | 'undo'
    | 'redo'
    | 'moveUp'
    | 'moveDown'
    | 'moveOut'
    | 'moveIn'
    | 'duplicate'
    | 'toggle'
    | 'copy'
    | 'paste'
    | 'remove'
  icon: Icon
  keys: string
  flip?: boolean
  disabled: boolean
  run: () => void
}

/** What the keyboard does in the outline, as buttons. */
export function OutlineToolbar({ addBelow }: { addBelow: () => void }) {
  const t = useT()
  const { readOnly } = useEditor()
  const groups = useTools()
  const [help, setHelp] = useState(false)
  return (
    <div className={classes.toolbar} role="toolbar" aria-label={t('toolbar.label')}>
      {!readOnly && (
        <>
          <Button size="compact-sm" leftSection={<IconPlus size={15} aria-hidden />} onClick={addBelow}>
            {t('toolbar.add')}
          </Button>
          {groups.map((group) => (
            <Fragment key={group[0]?.id}>
              <span className={classes.divider} aria-hidden />
              {group.map((tool) => (
                <ToolButton key={tool.id} tool={tool} />
              ))}
            </Fragment>
          ))}
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
}

/** The menu of the step with the focus, for those who have no second button. */
function TryStep() {
  const t = useT()
  const desk = useTestDesk()
  const step = focusedStep(useEditorState())
  return (
    <Tooltip label={t('test.menu')}>
      <ActionIcon
        size={30}
        aria-label={t('test.menu')}
        aria-haspopup="menu"
        disabled={!step}
        onClick={(event) => step && desk.menu.set({ stepId: step.id, ...below(event.currentTarget) })}
      >
        <IconPlayerPlay size={17} className="flip-rtl" aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

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

function useTools(): Tool[][] {
  const t = useT()
  const state = useEditorState()
  const { update } = useEditor()
  const none = state.selected.size === 0
  const tool = (id: Tool['id'], icon: Icon, keys: string, run: () => void, disabled = none): Tool => ({
    id,
    icon,
    keys,
    run,
    disabled,
  })
  const move = (direction: Parameters<typeof moveSelected>[1]) => () =>
    update((now) => moveSelected(now, direction, Date.now()))
  const copy = () => {
    const fragment = copySelected(state)
    if (fragment)
      void copyText(JSON.stringify(fragment)).then((done) => done && toast.success(t('toolbar.copied')))
  }
  const paste = async () => {
    // Browsers give the clipboard to a button only on a secure page; the keyboard works everywhere.
    const held = window.isSecureContext ? await navigator.clipboard.readText().catch(() => null) : null
    const fragment = held === null ? null : readFragment(held)
    if (fragment) update((now) => pasteAtFocus(now, fragment, Date.now()))
    else toast.info(held === null ? t('toolbar.pasteByKey') : t('outline.nothingToPaste'))
  }
  return [
    [
      tool('undo', IconArrowBackUp, 'Ctrl+Z', () => update(undoEdit), state.history.past.length === 0),
      tool(
        'redo',
        IconArrowForwardUp,
        'Ctrl+Shift+Z',
        () => update(redoEdit),
        state.history.future.length === 0,
      ),
    ].map((one) => ({ ...one, flip: true })),
    [
      tool('moveUp', IconArrowUp, 'Alt+↑', move('up')),
      tool('moveDown', IconArrowDown, 'Alt+↓', move('down')),
      { ...tool('moveOut', IconIndentDecrease, 'Alt+←', move('out')), flip: true },
      { ...tool('moveIn', IconIndentIncrease, 'Alt+→', move('in')), flip: true },
    ],
    [
      tool('duplicate', IconCopyPlus, 'Ctrl+D', () => update((now) => duplicateSelected(now, Date.now()))),
      tool('copy', IconCopy, 'Ctrl+C', copy),
      tool('paste', IconClipboard, 'Ctrl+V', () => void paste(), false),
      tool('toggle', IconEyeOff, 'Ctrl+/', () => update((now) => toggleSelectedDisabled(now, Date.now()))),
      tool('remove', IconTrash, 'Delete', () => update((now) => removeSelected(now, Date.now()))),
    ],
  ]
}

function ToolButton({ tool }: { tool: Tool }) {
  const t = useT()
  const label = t(`toolbar.${tool.id}`)
  return (
    <Tooltip label={`${label} (${tool.keys})`}>
      <ActionIcon size={30} aria-label={label} disabled={tool.disabled} onClick={tool.run}>
        <tool.icon size={17} className={tool.flip ? 'flip-rtl' : undefined} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

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
