import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Selection } from '@weft/contract/core/record'
import type { call } from '../../lib/api.ts'

/** A record as actions see it. */
export interface ActionRecord {
  id: string
  can: readonly string[]
  cannot?: Record<string, string> | undefined
}

/** What an action may use while it runs. */
export interface ActionContext {
  call: typeof call
  /** Goes to a path, relative to the page. */
  go: (to: string) => void
}

/** What a bulk run tells: how many were done, how many refused. */
export interface BulkOutcome {
  done: number
  refused: readonly unknown[]
}

/** What an action answers that asked something and was told to leave it. */
export const GAVE_UP = Symbol('gave up')

/** One thing that can be done with a record: shown in the row menu, on the record's page, on the bulk bar. */
export interface Action<T> {
  /** Its name: the label is `<feature>:actions.<id>`, else the kit's. */
  id: string
  icon: Icon
  /** Name in the record's `can`; by default the id; false where it is always possible. */
  can?: string | false
  /** Shown at all; for what makes no sense with some records. */
  shown?(row: T): boolean
  /** Asks first and is drawn in red. */
  danger?: boolean
  /** It asks by itself, in a dialog of its own: it is only drawn in red. */
  asksItself?: boolean
  /** Shown in the question about one record; `block` says that it cannot be done now. */
  confirmBody?(row: T, block: (blocked: boolean) => void): ReactNode
  /** What the question adds, for one record or for many. */
  confirmText?(row: T | null, count: number): string
  /** A link instead of something that runs. */
  to?(row: T): string
  /** What it gives does not matter, but for `GAVE_UP`. */
  run?(row: T, context: ActionContext): Promise<unknown>
  /** Whether it is offered for many at all; `shown` asks each of their rows. */
  bulkShown?(): boolean
  /** Does it for many at once. */
  bulk?: (selection: Selection, context: ActionContext) => Promise<BulkOutcome | typeof GAVE_UP | null | void>
  /** The toast after it; `null` for none. */
  done?: ((name: string) => string) | null
  /** Takes it back; offered in the toast. */
  undo?(row: T, context: ActionContext): Promise<unknown>
  /** It only shows something: nothing is read anew after it. */
  changesNothing?: boolean
  /** Features besides its own that it changes. */
  invalidates?: readonly string[]
}

/** Whether an action is possible with a record, and if not, the code of the reason. */
export function possibility<T>(
  action: Action<T>,
  record: ActionRecord,
): { possible: true } | { possible: false; reason: string } {
  if (action.can === false) return { possible: true }
  const name = action.can ?? action.id
  if (record.can.includes(name)) return { possible: true }
  return { possible: false, reason: record.cannot?.[name] ?? 'actions.notNow' }
}
