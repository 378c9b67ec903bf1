import { Menu } from '@mantine/core'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { actionLabel } from '../../lib/i18n/names.ts'
import { PopupMenu } from '../popup/menu.tsx'
import type { PopupParts } from '../popup/popup.tsx'
import { possibility, type Action } from './action.ts'
import { asActionRecord, useReason } from './reason.ts'
import classes from './actions.module.css'

/** A record's menu; what is not possible now is shown and says why. Loaded when opened. */
export function ActionMenu<T>(props: {
  parts: PopupParts
  feature: string
  actions: readonly Action<T>[]
  row: T
  onRun: (action: Action<T>) => void
}) {
  const reasonOf = useReason()
  const record = asActionRecord(props.row)
  const shown = props.actions.filter((action) => action.shown?.(props.row) ?? true)
  const usual = shown.filter(({ danger }) => !danger)
  const dangerous = shown.filter(({ danger }) => danger)
  const items = [...usual, ...dangerous].map((action) => {
    const state = possibility(action, record)
    const label = actionLabel(props.feature, action.id)
    const icon = <action.icon size={16} stroke={1.8} aria-hidden />
    const divided = action === dangerous[0] && usual.length > 0
    if (!state.possible)
      return (
        <Fragment key={action.id}>
          {divided && <Menu.Divider />}
          {/* Stays reachable by keyboard, or its reason could not be read. */}
          <Menu.Item leftSection={icon} aria-disabled className={classes.impossible} closeMenuOnClick={false}>
            <span>{label}</span>
            <span className={classes.reason}>{reasonOf(state.reason)}</span>
          </Menu.Item>
        </Fragment>
      )
    const link = action.to?.(props.row)
    return (
      <Fragment key={action.id}>
        {divided && <Menu.Divider />}
        {link?.startsWith('/') ? (
          <Menu.Item component={Link} to={link} leftSection={icon}>
            {label}
          </Menu.Item>
        ) : (
          <Menu.Item
            leftSection={icon}
            {...(action.danger ? { className: classes.danger } : {})}
            onClick={() => props.onRun(action)}
          >
            {label}
          </Menu.Item>
        )}
      </Fragment>
    )
  })
  return <PopupMenu parts={props.parts}>{items}</PopupMenu>
}
