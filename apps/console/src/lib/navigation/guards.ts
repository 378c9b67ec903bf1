/** Asked before a page is left; false keeps it. */
export type LeaveGuard = (to: string) => boolean | Promise<boolean>

const guards = new Set<LeaveGuard>()

/** Asks before every navigation until the returned function is called. */
export function guardLeaving(guard: LeaveGuard): () => void {
  guards.add(guard)
  return () => guards.delete(guard)
}

/** Whether anything wants to be asked. */
export function hasGuards(): boolean {
  return guards.size > 0
}

/** Asks all guards in turn; the first refusal ends it. */
export async function mayLeave(to: string): Promise<boolean> {
  for (const guard of Array.from(guards)) if (!(await guard(to))) return false
  return true
}
