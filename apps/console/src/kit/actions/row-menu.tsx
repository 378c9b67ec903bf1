import { ActionIcon } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useKitText } from '../../lib/i18n/texts.ts'
import { Popup } from '../popup/popup.tsx'
import type { Action } from './action.ts'
import { useActions } from './run.ts'

const loadMenu = () => import('./action-menu.tsx')

/** The menu at the end of a row. It is built when first opened: a table has a hundred of them. */
export function RowMenu<T>(props: {
  feature: string
  actions: readonly Action<T>[]
  row: T
  name: string
  /** Tells whether it is open, so that rows stay where they are meanwhile. */
  onOpen?: (open: boolean) => void
}) {
  const t = useKitText()
  const { run } = useActions(props.feature)
  return (
    <Popup
      load={loadMenu}
      {...(props.onOpen ? { onOpen: props.onOpen } : {})}
      button={(button) => (
        <ActionIcon {...button} aria-label={t('actions.menu', { name: props.name })}>
          <IconDots size={18} />
        </ActionIcon>
      )}
    >
      {(parts, { ActionMenu }) => (
        <ActionMenu
          parts={parts}
          feature={props.feature}
          actions={props.actions}
          row={props.row}
          onRun={(action) => void run(action, props.row, props.name)}
        />
      )}
    </Popup>
  )
}
