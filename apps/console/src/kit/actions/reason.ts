import { errorText } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import type { ActionRecord } from './action.ts'

/** Takes the `can` of whatever row there is; rows without one allow nothing that needs it. */
export function asActionRecord(row: unknown): ActionRecord {
  if (row === null || typeof row !== 'object') return { id: '', can: [] }
  const id = 'id' in row && typeof row.id === 'string' ? row.id : ''
  const can = 'can' in row && Array.isArray(row.can) ? row.can.filter((name) => typeof name === 'string') : []
  const reasons = 'cannot' in row && row.cannot !== null && typeof row.cannot === 'object' ? row.cannot : {}
  const cannot = Object.fromEntries(Object.entries(reasons).map(([name, code]) => [name, String(code)]))
  return { id, can, cannot }
}

/** Why an action is not possible, in words. */
export function useReason(): (reason: string) => string {
  const t = useKitText()
  return (reason) =>
    reason === 'actions.notNow' ? t('actions.notNow') : errorText(reason, {}, t('actions.notNow'))
}
