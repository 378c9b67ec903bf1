import { IconCopy } from '@tabler/icons-react'
import type { Action } from '../actions/action.ts'
import { rowId } from './options.ts'

/** Copies a row as it is shown, for a spreadsheet or a message. */
export function copyRowAction<T>(): Action<T> {
  return {
    id: 'copyRow',
    icon: IconCopy,
    can: false,
    done: null,
    changesNothing: true,
    run: async (row) => {
      const { copyRow } = await import('./row-text.ts')
      await copyRow(rowId(row))
    },
  }
}
