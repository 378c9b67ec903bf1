import type { ReactNode } from 'react'
import type { Arrangement } from '@weft/contract/views/schema'
import type { Delay } from '../../lib/use-delay.ts'
import type { ListEndpoint } from '../fields/record-picker.tsx'
import type { Count } from '../page/count.ts'
import type { ListField } from './fields.ts'
import type { ListOptions } from './options.ts'
import type { Chosen } from './selection.ts'
import type { ListState } from './url-state.ts'
import type { ListData } from './use-list-data.ts'
import type { ListViews } from './views/use-views.ts'

/** What is open over a list. */
export type ListPanel<T> = { kind: 'history'; row: T } | { kind: 'bulk'; id: string } | null

/** Who is among the rows, so that they stay where they are; whoever edits a cell is so too. */
export type Holder = 'pointer' | 'keyboard' | 'menu'

/** A cell that is being edited. */
export interface EditedCell<T> {
  row: T
  field: ListField
  /** The cell, under which the editor stands. */
  target: HTMLElement
}

/**
 * A list with its state, for the table, the filters and the page. What takes a row is written as a method, here and in
 * options, columns and actions: parts that hand a list its own rows back need not know of which kind they are, and take
 * any `ListHandle`.
 */
export interface ListHandle<T = unknown> {
  endpoint: ListEndpoint
  feature: string
  /** What its views and columns are kept under. */
  name: string
  options: ListOptions<T>
  state: ListState
  setState: (change: Partial<ListState>) => void
  sortable: readonly string[]
  filterNames: readonly string[]
  data: ListData
  /** What is shown: kept in place while the pointer or the keyboard is among the rows. For All, what has been loaded. */
  rows: readonly (T | undefined)[]
  rowAt: (at: number) => T | undefined
  rowCount: number
  waiting: boolean
  /** Rows that are shown though they are not in the list any more, by id. */
  gone: ReadonlySet<string>
  showWaiting: () => void
  /** Says that somebody is among the rows, or has left them. */
  hold: (by: Holder, held: boolean) => void
  chosen: Chosen
  setChosen: (chosen: Chosen) => void
  arrangement: Arrangement
  setArrangement: (arrangement: Arrangement) => void
  views: ListViews
  panel: ListPanel<T>
  show(panel: ListPanel<T>): void
  edited: EditedCell<T> | null
  edit(cell: EditedCell<T> | null): void
  /** Shows what is in the trash. */
  trash: boolean
  open(row: T): void
  /** A row that opens in a moment, unless a second click comes before. */
  opening: Delay
  hrefOf(row: T): string | undefined
  /** The whole address of a row, for links. */
  addressOf(row: T): string | undefined
  /** The address of this list in another state, to be passed on. */
  linkTo: (state: ListState) => string
  nameOf(row: T): string
  /** How many match, once known. */
  count: Count | undefined
  refetch: () => void
  table: ReactNode
}
