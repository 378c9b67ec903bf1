import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { useKitText } from '../../lib/i18n/texts.ts'
import type { Action } from './action.ts'
import { ActionItems } from './menu-items.tsx'
import { useActions } from './run.ts'

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
  const [built, setBuilt] = useState(false)
  const [opened, setOpened] = useState(false)
  const toggle = (open: boolean) => {
    setOpened(open)
    props.onOpen?.(open)
  }
  const button = (
    <ActionIcon
      aria-label={t('actions.menu', { name: props.name })}
      aria-haspopup="menu"
      aria-expanded={opened}
      onClick={() => {
        setBuilt(true)
        toggle(!opened)
      }}
    >
      <IconDots size={18} />
    </ActionIcon>
  )
  if (!built) return button
  return (
    <Menu opened={opened} onChange={toggle} withinPortal returnFocus>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
        <ActionItems
          feature={props.feature}
          actions={props.actions}
          row={props.row}
          onRun={(action) => void run(action, props.row, props.name)}
        />
      </Menu.Dropdown>
    </Menu>
  )
}
