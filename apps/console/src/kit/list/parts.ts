import type { MouseEvent } from 'react'
import type { ListHandle } from './handle.ts'

/** Whether rows of this list can be chosen. */
export function isSelectable<T>(list: ListHandle<T>): boolean {
  return list.options.selectable ?? list.options.actions?.some(({ bulk }) => bulk !== undefined) ?? false
}

/** Whether rows of this list have a menu. */
export function hasMenu<T>(list: ListHandle<T>): boolean {
  return (list.options.actions?.length ?? 0) > 0
}

/** Whether a click was meant for the row itself, and not for something in it or for marking text. */
export function isRowClick(event: MouseEvent<HTMLElement>): boolean {
  if (event.defaultPrevented || !(event.target instanceof Element)) return false
  if (event.target.closest('a, button, input, label, [role="menu"], [role="menuitem"]')) return false
  return event.currentTarget.contains(event.target) && !getSelection()?.toString()
}
