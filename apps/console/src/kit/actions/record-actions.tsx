import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { shutIf } from './shut.ts'
import { actionLabel } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { possibility, type Action } from './action.ts'
import { Popup } from '../popup/popup.tsx'
import { asActionRecord, useReason } from './reason.ts'
import { useActions } from './run.ts'

const loadMenu = () => import('./action-menu.tsx')

/** The actions of a record's page: one or two as buttons, the others in a menu. */
export function RecordActions<T>(props: {
  feature: string
  of: T
  name: string
  actions: readonly Action<T>[]
  /** Ids of those that are buttons; the first is the main one. What makes no sense now is left out. */
  primary?: readonly string[]
  /** After an action that was done, such as leaving the page of a deleted record. */
  onDone?: (action: Action<T>) => void
}) {
  const t = useKitText()
  const reasonOf = useReason()
  const { run } = useActions(props.feature)
  const [busy, setBusy] = useState<string | null>(null)
  const record = asActionRecord(props.of)
  const wanted = props.primary ?? []
  const shown = props.actions.filter((action) => action.shown?.(props.of) ?? true)
  const buttons = wanted.flatMap((id) => shown.filter((action) => action.id === id)).slice(0, 2)
  const rest = shown.filter((action) => !buttons.includes(action))
  const start = async (action: Action<T>) => {
    setBusy(action.id)
    const done = await run(action, props.of, props.name)
    setBusy(null)
    if (done) props.onDone?.(action)
  }
  return (
    <>
      {buttons.map((action, at) => {
        const state = possibility(action, record)
        const button = (
          <Button
            key={action.id}
            variant={at === 0 && !action.danger ? 'filled' : 'default'}
            leftSection={<action.icon size={16} stroke={1.8} aria-hidden />}
            loading={busy === action.id}
            {...shutIf(!state.possible, () => void start(action))}
          >
            {actionLabel(props.feature, action.id)}
          </Button>
        )
        if (state.possible) return button
        return (
          <Tooltip key={action.id} label={reasonOf(state.reason)}>
            {button}
          </Tooltip>
        )
      })}
      {rest.length > 0 && (
        <Popup
          load={loadMenu}
          button={(button) => (
            <ActionIcon {...button} variant="default" size={36} aria-label={t('actions.more')}>
              <IconDots size={18} />
            </ActionIcon>
          )}
        >
          {(parts, { ActionMenu }) => (
            <ActionMenu
              parts={parts}
              feature={props.feature}
              actions={rest}
              row={props.of}
              onRun={(action) => void start(action)}
            />
          )}
        </Popup>
      )}
    </>
  )
}
