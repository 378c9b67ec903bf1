import type { MouseEvent } from 'react'
import { purgeAction, restoreAction } from '../actions/common.ts'
import type { Action } from '../actions/action.ts'
import { copyRowAction } from './copy-row.ts'
import { historyAction } from './history-action.ts'
import type { ListHandle } from './handle.ts'

/** Whether rows of this list can be chosen. */
export function isSelectable<T>(list: ListHandle<T>): boolean {
  const { selectable, actions, resource } = list.options
  return (
    selectable ?? (resource?.bulk !== undefined || actions?.some(({ bulk }) => bulk !== undefined) === true)
  )
}

/** What can be done with a row now: in the trash only taking it out, or deleting it for good. */
export function rowActions<T>(list: ListHandle<T>): readonly Action<T>[] {
  const { actions = [], resource } = list.options
  const history = resource?.history ? [historyAction<T>((row) => list.show({ kind: 'history', row }))] : []
  const beside = [copyRowAction<T>(), ...history]
  if (!list.trash) return [...actions, ...beside]
  const given = actions.filter(({ id }) => id === 'restore')
  if (given.length > 0 || !resource?.restore) return [...given, ...beside]
  const purge = resource.purge ? [purgeAction<T>({ purge: resource.purge })] : []
  return [restoreAction<T>({ restore: resource.restore }), ...beside, ...purge]
}

/** Whether rows of this list have a menu. */
export function hasMenu<T>(list: ListHandle<T>): boolean {
  const { actions, resource } = list.options
  return (actions?.length ?? 0) > 0 || resource?.history !== undefined
}

/** Whether a click was meant for the row itself, and not for something in it or for marking text. */
export function isRowClick(event: MouseEvent<HTMLElement>): boolean {
  if (event.defaultPrevented || !(event.target instanceof Element)) return false
  if (event.target.closest('a, button, input, label, [role="menu"], [role="menuitem"]')) return false
  return event.currentTarget.contains(event.target) && !getSelection()?.toString()
}
