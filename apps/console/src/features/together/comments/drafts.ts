import { TAB_STORAGE, readOfTab, writeOfTab } from '../../../lib/storage.ts'

/**
 * Where something is being written: a new comment about a step or the whole, an answer, or a change of what was said, with
 * the version that it is a change of.
 */
export type WrittenAt = { about: string | null } | { answerTo: string } | { change: string; version: number }

const keyOf = (workflowId: string, at: WrittenAt) =>
  `${TAB_STORAGE.comment}${workflowId}.${JSON.stringify('change' in at ? { change: at.change } : at)}`

/** A change is kept behind the version that it is of, on a line of its own. */
const OF_VERSION = /^(\d+)\n/

/** What was begun there in this tab and not sent; null where there is nothing. */
export function draftAt(workflowId: string, at: WrittenAt): string | null {
  const kept = readOfTab(keyOf(workflowId, at))
  return 'change' in at ? (kept?.replace(OF_VERSION, '') ?? null) : kept
}

/** The version of a comment that a change of it, begun in this tab and not sent, is of; null where there is none. */
export function changeBegunOn(workflowId: string, commentId: string): number | null {
  const kept = readOfTab(keyOf(workflowId, { change: commentId, version: 0 }))
  const version = kept === null ? undefined : OF_VERSION.exec(kept)?.[1]
  return version === undefined ? null : Number(version)
}

/** Keeps what is being written, also over a reload; what says nothing, or nothing new, is not kept. */
export function keepDraft(workflowId: string, at: WrittenAt, text: string, before = ''): void {
  const kept = 'change' in at ? `${at.version}\n${text}` : text
  writeOfTab(keyOf(workflowId, at), text.trim() === '' || text === before ? null : kept)
}

/** What of a text is not sent yet, where `sent` was its beginning when it was on its way; all of it where it is not. */
export function leftUnsent(text: string, sent: string): string {
  return text.startsWith(sent) ? text.slice(sent.length).trimStart() : text
}

/** Takes a draft along to another place, unless something is begun there already. */
export function moveDraft(workflowId: string, from: WrittenAt, to: WrittenAt): void {
  const text = draftAt(workflowId, from)
  if (text === null || draftAt(workflowId, to) !== null) return
  keepDraft(workflowId, to, text)
  keepDraft(workflowId, from, '')
}
