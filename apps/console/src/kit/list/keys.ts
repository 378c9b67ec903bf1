import type { RefObject } from 'react'
import { text } from '../../lib/i18n/texts.ts'
import { toast } from '../toast/toast.ts'
import { copyText } from '../values/copy.ts'
import { fieldOfColumn } from './fields.ts'
import type { ListHandle } from './handle.ts'
import { rowId } from './options.ts'
import { isSelectable } from './parts.ts'
import { shownIn } from './row-text.ts'
import { toggleRow } from './selection.ts'

const FOCUSABLE = '[data-row-link], td[data-edits]'

/**
 * The keys of a list: j and k or the arrows go from row to row, the other arrows from cell to cell, x chooses, Enter
 * opens, F2 or a double click edits in place, and Ctrl+C copies the cell. Gives the way to end it.
 */
export function listenToKeys<T>(box: HTMLElement, latest: RefObject<ListHandle<T>>): () => void {
  const rowOf = (element: Element): T | undefined => {
    const id = element.closest<HTMLElement>('tr[data-row]')?.dataset['row']
    return latest.current.rows.find((row) => row !== undefined && rowId(row) === id)
  }
  const edit = (cell: HTMLElement): boolean => {
    const row = rowOf(cell)
    const field = fieldOfColumn(latest.current.options.fields, cell.dataset['column'] ?? '')
    if (!row || !field || cell.dataset['edits'] === undefined) return false
    latest.current.edit({ row, field, target: cell })
    return true
  }
  const pressed = (event: KeyboardEvent) => {
    const { target } = event
    if (!(target instanceof HTMLElement) || event.altKey || event.defaultPrevented) return
    if (
      target.closest(
        '[role="menu"], [role="separator"], [role="dialog"], input:not([type="checkbox"]), textarea, select',
      )
    )
      return
    if (act(event, target)) event.preventDefault()
  }
  const act = (event: KeyboardEvent, target: HTMLElement): boolean => {
    const cell = target.closest<HTMLElement>('td[data-column]')
    const tr = target.closest<HTMLElement>('tbody tr')
    if (event.ctrlKey || event.metaKey) return event.key === 'c' && copy(cell)
    switch (event.key) {
      case 'ArrowDown':
      case 'j':
        return focusRow(box, tr, 'next', cell?.dataset['column'])
      case 'ArrowUp':
      case 'k':
        return focusRow(box, tr, 'previous', cell?.dataset['column'])
      case 'ArrowLeft':
      case 'ArrowRight':
        return tr !== null && focusCell(tr, target, (event.key === 'ArrowRight') === (document.dir !== 'rtl'))
      case 'x': {
        const row = rowOf(target)
        const { current } = latest
        if (!row || !isSelectable(current)) return false
        current.setChosen(toggleRow(current.chosen, rowId(row), current.rows.map(rowId).filter(Boolean)))
        return true
      }
      case 'Enter':
        // On the name it is the link's own key, which opens.
        return target.matches('td') && cell !== null && edit(cell)
      case 'F2': {
        const first =
          cell?.dataset['edits'] === undefined ? tr?.querySelector<HTMLElement>('td[data-edits]') : cell
        return first ? edit(first) : false
      }
      default:
        return false
    }
  }
  const clickedTwice = (event: MouseEvent) => {
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('td[data-edits]') : null
    if (!cell) return
    getSelection()?.removeAllRanges()
    edit(cell)
  }
  box.addEventListener('keydown', pressed)
  box.addEventListener('dblclick', clickedTwice)
  return () => {
    box.removeEventListener('keydown', pressed)
    box.removeEventListener('dblclick', clickedTwice)
  }
}

function focusRow(
  box: HTMLElement | null,
  row: HTMLElement | null,
  which: 'next' | 'previous',
  column: string | undefined,
): boolean {
  const beside = which === 'next' ? row?.nextElementSibling : row?.previousElementSibling
  const next = row ? beside : box?.querySelector('tbody tr[data-row]')
  const cell = column
    ? next?.querySelector<HTMLElement>(`td[data-column="${CSS.escape(column)}"][data-edits]`)
    : null
  return focus(cell ?? next?.querySelector<HTMLElement>('[data-row-link]') ?? null)
}

function focusCell(row: HTMLElement, from: HTMLElement, forward: boolean): boolean {
  const stops = [...row.querySelectorAll<HTMLElement>(FOCUSABLE)]
  const at = stops.findIndex((stop) => stop === from || stop.contains(from))
  return focus(stops[at + (forward ? 1 : -1)] ?? null)
}

function focus(element: HTMLElement | null): boolean {
  if (!element) return false
  if (element.tagName === 'TD') element.tabIndex = -1
  element.focus()
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  return true
}

/** Copies what a cell shows, where nothing else is marked. */
function copy(cell: HTMLElement | null): boolean {
  if (!cell || getSelection()?.toString()) return false
  const shown = shownIn(cell)
  if (!shown) return false
  void copyText(shown).then((done) => done && toast.success(text('kit:common.copied')))
  return true
}
