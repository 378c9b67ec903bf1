import type { ReactNode } from 'react'
import type { ListEndpoint } from '../fields/record-picker.tsx'
import type { ColumnChoice } from './column-choice.ts'
import type { ListOptions } from './options.ts'
import type { Chosen } from './selection.ts'
import type { ListState } from './url-state.ts'
import type { ListData } from './use-list-data.ts'

/** A list with its state, for the table, the filters and the page. */
export interface ListHandle<T = unknown> {
  endpoint: ListEndpoint
  feature: string
  options: ListOptions<T>
  state: ListState
  setState: (change: Partial<ListState>) => void
  sortable: readonly string[]
  data: ListData
  /** What is shown: kept in place while the pointer or the keyboard is among the rows. */
  rows: readonly (T | undefined)[]
  waiting: boolean
  showWaiting: () => void
  hold: (held: boolean) => void
  chosen: Chosen
  setChosen: (chosen: Chosen) => void
  choice: ColumnChoice
  setChoice: (choice: ColumnChoice) => void
  open: (row: T, newTab?: boolean) => void
  hrefOf: (row: T) => string | undefined
  nameOf: (row: T) => string
  /** How many match, once known. */
  count: number | undefined
  refetch: () => void
  table: ReactNode
}
