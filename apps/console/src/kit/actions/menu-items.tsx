import { Menu } from '@mantine/core'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { actionLabel, errorText } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { possibility, type Action, type ActionRecord } from './action.ts'
import classes from './actions.module.css'

/** Takes the `can` of whatever row there is; rows without one allow nothing that needs it. */
export function asActionRecord(row: unknown): ActionRecord {
  if (row === null || typeof row !== 'object') return { id: '', can: [] }
  const id = 'id' in row && typeof row.id === 'string' ? row.id : ''
  const can = 'can' in row && Array.isArray(row.can) ? row.can.filter((name) => typeof name === 'string') : []
  const reasons = 'cannot' in row && row.cannot !== null && typeof row.cannot === 'object' ? row.cannot : {}
  const cannot = Object.fromEntries(Object.entries(reasons).map(([name, code]) => [name, String(code)]))
  return { id, can, cannot }
}

/** Why an action is not possible, in words. */
export function useReason(): (reason: string) => string {
  const t = useKitText()
  return (reason) =>
    reason === 'actions.notNow' ? t('actions.notNow') : errorText(reason, {}, t('actions.notNow'))
}

/** The items of a record's menu; what is not possible now is shown and says why. */
export function ActionItems<T>(props: {
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
  return [...usual, ...dangerous].map((action) => {
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
            {...(action.danger ? { color: 'red' } : {})}
            onClick={() => props.onRun(action)}
          >
            {label}
          </Menu.Item>
        )}
      </Fragment>
    )
  })
}
