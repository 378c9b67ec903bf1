import { readStoredJson, writeStored } from '../../lib/storage.ts'
import type { Column } from './columns.tsx'

/** Which columns a person has turned on or off, against the list's own choice. */
export type ColumnChoice = Readonly<Record<string, boolean>>

const keyOf = (name: string) => `List::Columns::${name}`

/** Reads the choice of a list. */
export function readChoice(name: string): ColumnChoice {
  const stored = readStoredJson(keyOf(name))
  if (stored === null || typeof stored !== 'object') return {}
  return Object.fromEntries(Object.entries(stored).filter(([, on]) => typeof on === 'boolean'))
}

/** Keeps the choice of a list; none goes back to the list's own. */
export function writeChoice(name: string, choice: ColumnChoice): void {
  writeStored(keyOf(name), Object.keys(choice).length > 0 ? JSON.stringify(choice) : null)
}

/** Whether a column is shown. The name always is. */
export function isShown<T>(column: Column<T>, choice: ColumnChoice): boolean {
  if (column.isName) return true
  return choice[column.id] ?? !column.hidden
}

/** The columns that are shown. */
export function shownColumns<T>(columns: readonly Column<T>[], choice: ColumnChoice): Column<T>[] {
  return columns.filter((column) => isShown(column, choice))
}
