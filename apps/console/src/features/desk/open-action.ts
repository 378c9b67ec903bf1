import { IconBrowser } from '@tabler/icons-react'
import type { Action, ActionRecord } from '../../kit/actions/action.ts'
import { opening, type Opening } from './opening.ts'

/** Opens the browser of a record for a person; the dialog asks where. */
export function openAction<T extends ActionRecord>(what: (row: T) => Opening): Action<T> {
  return {
    id: 'openBrowser',
    icon: IconBrowser,
    done: null,
    changesNothing: true,
    run: (row) => {
      opening.set(what(row))
      return Promise.resolve()
    },
  }
}
