import { IconDots } from '@tabler/icons-react'
import { useKitText } from '../../lib/i18n/texts.ts'
import { Popup, type PopupParts } from '../popup/popup.tsx'
import type { Action } from './action.ts'
import classes from './actions.module.css'
import { useActions } from './run.ts'

const loadMenu = () => import('./action-menu.tsx')
type Loaded = Awaited<ReturnType<typeof loadMenu>>

interface RowMenuProps<T> {
  feature: string
  /** Asked for when the menu is opened. */
  actions: () => readonly Action<T>[]
  row: T
  name: string
  /** Tells whether it is open, so that rows stay where they are meanwhile. */
  onOpen?: (open: boolean) => void
  /** Called when something was done and has been read anew. */
  onDone?: () => void
}

/** The menu at the end of a row. It is built when first opened: a table has a hundred of them. */
export function RowMenu<T>(props: RowMenuProps<T>) {
  const t = useKitText()
  return (
    <Popup
      load={loadMenu}
      {...(props.onOpen ? { onOpen: props.onOpen } : {})}
      button={(button) => (
        <button
          type="button"
          {...button}
          className={classes.dots}
          aria-label={t('actions.menu', { name: props.name })}
        >
          <IconDots size={18} />
        </button>
      )}
    >
      {(parts, loaded) => <OpenedMenu {...props} parts={parts} loaded={loaded} />}
    </Popup>
  )
}

function OpenedMenu<T>(props: RowMenuProps<T> & { parts: PopupParts; loaded: Loaded }) {
  // What one did oneself shows at once, also where the rows are kept in place for the pointer.
  const { run } = useActions(props.feature, props.onDone)
  const { ActionMenu } = props.loaded
  return (
    <ActionMenu
      parts={props.parts}
      feature={props.feature}
      actions={props.actions()}
      row={props.row}
      onRun={(action) => void run(action, props.row, props.name)}
    />
  )
}
