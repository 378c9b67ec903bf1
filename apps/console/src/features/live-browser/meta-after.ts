import type { FrameMeta } from '@weft/contract/attended-runs/schema'

/** These change with every picture, and nothing that is drawn depends on them. */
const PASSING: ReadonlySet<string> = new Set(['number', 'secondsLeft'])

/**
 * What is said of the page from now on: the same object as before where nothing that lasts has changed, so that only the
 * picture is drawn anew. What is unchanged within it stays the same too.
 */
export function metaAfter(before: FrameMeta | null, next: FrameMeta): FrameMeta {
  if (!before) return next
  const { dialog, choice, files, pointed, recording } = next
  const kept: FrameMeta = {
    ...next,
    dialog: shared(before.dialog, dialog),
    ...(choice ? { choice: shared(before.choice, choice) } : {}),
    ...(files ? { files: shared(before.files, files) } : {}),
    ...(pointed ? { pointed: shared(before.pointed, pointed) } : {}),
    ...(recording ? { recording: shared(before.recording, recording) } : {}),
  }
  const names = new Set([...Object.keys(before), ...Object.keys(kept)])
  const was = new Map<string, unknown>(Object.entries(before))
  const is = new Map<string, unknown>(Object.entries(kept))
  return [...names].every((name) => PASSING.has(name) || was.get(name) === is.get(name)) ? before : kept
}

/** The former value where the new one says the same. */
function shared<T>(before: T | undefined, next: T): T {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(next) ? before : next
}
