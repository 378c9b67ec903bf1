import { IconLockOpen, IconPencil, IconRestore, IconTrash, IconTrashX } from '@tabler/icons-react'
import type { Endpoint } from '@weft/contract/core/endpoint'
import type { LeaseView } from '@weft/contract/core/lease'
import { createElement, lazy } from 'react'
import { callAny } from '../../lib/api.ts'
import { text } from '../../lib/i18n/texts.ts'
import { rowId } from '../list/options.ts'
import type { Action, BulkOutcome } from './action.ts'

const WhereUsed = lazy(() => import('../list/where-used.tsx'))

interface RemovalApi {
  remove: Endpoint
  restore?: Endpoint
  bulk?: Endpoint
  whereUsed?: Endpoint
}

/** Opens the record's form; `to` is relative to the list. */
export function editAction<T>(options: { to?: (row: T) => string } = {}): Action<T> {
  return { id: 'edit', can: 'update', icon: IconPencil, to: options.to ?? rowId }
}

/** Deletes one or many; the question shows what uses the record. Where the feature has a trash it says so, and the toast offers to take it back. */
export function deleteAction<T>(api: RemovalApi): Action<T> {
  const { remove, restore, bulk, whereUsed } = api
  return {
    id: 'delete',
    icon: IconTrash,
    danger: true,
    ...(restore ? { confirmText: () => text('kit:confirm.trash') } : {}),
    ...(whereUsed
      ? {
          confirmBody: (row: T, block: (blocked: boolean) => void) =>
            createElement(WhereUsed, { endpoint: whereUsed, id: rowId(row), block }),
        }
      : {}),
    run: (row) => callAny(remove, { id: rowId(row) }),
    done: (name) => text('kit:toasts.deleted', { name }),
    ...(restore ? { undo: (row: T) => callAny(restore, { id: rowId(row) }) } : {}),
    ...(bulk
      ? {
          bulk: async (selection) => asOutcome(await callAny(bulk, { selection, action: 'delete' })),
        }
      : {}),
  }
}

/** Takes a record out of the trash. */
export function restoreAction<T>(api: { restore: Endpoint }): Action<T> {
  return { id: 'restore', icon: IconRestore, run: (row) => callAny(api.restore, { id: rowId(row) }) }
}

/** Deletes a record that is in the trash for good. */
export function purgeAction<T>(api: { purge: Endpoint }): Action<T> {
  return {
    id: 'purge',
    icon: IconTrashX,
    danger: true,
    run: (row) => callAny(api.purge, { id: rowId(row) }),
    done: (name) => text('kit:toasts.deleted', { name }),
  }
}

/** Takes a record from the run that holds it; `field` is the call's name for the record. */
export function releaseAction<T extends { id: string; lease: LeaseView | null }>(
  endpoint: Endpoint,
  field: string,
): Action<T> {
  return {
    id: 'release',
    icon: IconLockOpen,
    danger: true,
    shown: ({ lease }) => lease !== null,
    confirmText: () => text('kit:confirm.release'),
    run: (row) => callAny(endpoint, { [field]: row.id, runId: row.lease?.runId }),
    invalidates: ['runs'],
  }
}

/** A bulk call's answer as counts. */
function asOutcome(answer: unknown): BulkOutcome | null {
  if (answer === null || typeof answer !== 'object') return null
  const done = 'done' in answer ? answer.done : 'changed' in answer ? answer.changed : undefined
  const refused = 'refused' in answer && Array.isArray(answer.refused) ? answer.refused : []
  return typeof done === 'number' ? { done, refused } : null
}
