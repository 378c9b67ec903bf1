import { IconHistory } from '@tabler/icons-react'
import type { Action } from '../actions/action.ts'

/** Shows who changed a record, and how. */
export function historyAction<T>(show: (row: T) => void): Action<T> {
  return {
    id: 'history',
    icon: IconHistory,
    can: false,
    done: null,
    changesNothing: true,
    run: (row) => {
      show(row)
      return Promise.resolve()
    },
  }
}
