import type { Action } from '../../actions/action.ts'

/** What a list offers for many rows by its own actions; deleting and restoring not where the bar has them built in. */
export function offeredForMany<A extends Pick<Action<never>, 'id' | 'bulk' | 'bulkShown'>>(
  actions: readonly A[],
  isBuiltIn: boolean,
): A[] {
  return actions.filter(
    ({ id, bulk, bulkShown }) =>
      bulk && bulkShown?.() !== false && !(isBuiltIn && (id === 'delete' || id === 'restore')),
  )
}
