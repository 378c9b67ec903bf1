import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { Commenter } from '@weft/contract/workflow-comments/schema'
import type { Tx } from '../../../kit/context.ts'
import { decisionsOf } from '../../../kit/admit.ts'
import { patternOf } from '../../../kit/list-query.ts'
import { loadUsers } from '../../access/identities.ts'
import { nameKey } from '../../access/first-administrator.ts'
import { appUser } from '../../access/table.ts'
import type { WorkflowRecord } from '../table.ts'

/** A text with more names tells the first of them. */
const MOST_MENTIONS = 20
const NAME = String.raw`[\p{L}\p{N}._@+\-]`
const MENTION = new RegExp(`(?<!${NAME})@(${NAME}{2,64})`, 'gu')
/** What may end a name and more likely ends a sentence. */
const TAIL = /[.@+\-_]+$/u

/** The names that a text mentions, as they are compared; `@ann.` may mean somebody called `ann.` or `ann`. */
export function namesIn(text: string): string[] {
  const names = new Set<string>()
  for (const [, name = ''] of text.matchAll(MENTION)) {
    if (names.size >= 2 * MOST_MENTIONS) break
    for (const one of [name, name.replace(TAIL, '')]) if (one.length >= 2) names.add(nameKey(one))
  }
  return [...names]
}

/**
 * Those whom a text names and who may see the workflow, but for its author. Anybody else's name is plain text: whether there
 * is somebody of that name is not told.
 */
export async function mentionedIn(
  tx: Tx,
  text: string,
  { workflow, authorId }: { workflow: WorkflowRecord; authorId: string },
): Promise<string[]> {
  const names = namesIn(text)
  if (names.length === 0) return []
  const rows = await tx
    .select({ id: appUser.id })
    .from(appUser)
    .where(and(inArray(appUser.usernameKey, names), isNull(appUser.deletedAt), ne(appUser.id, authorId)))
    .limit(MOST_MENTIONS)
  return readersAmong(
    tx,
    workflow,
    rows.map(({ id }) => id),
  )
}

/** Those of some people who may see a workflow now, in their order. */
export async function readersAmong(
  tx: Tx,
  workflow: WorkflowRecord,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const people = await loadUsers(tx, ids)
  return ids.filter((id) => {
    const person = people.get(id)
    return person !== undefined && decisionsOf(person).can('VIEW', 'WORKFLOW', workflow)
  })
}

/** So many are looked at; whoever is beyond them is found by more letters. */
const LOOKED_AT = 100
const OFFERED = 8

/** People who may be mentioned, whose names fit what was typed. */
export async function mentionable(
  tx: Tx,
  q: string,
  { workflow, authorId }: { workflow: WorkflowRecord; authorId: string },
): Promise<Commenter[]> {
  const pattern = patternOf(q)
  const rows = await tx
    .select({ id: appUser.id, username: appUser.username, displayName: appUser.displayName })
    .from(appUser)
    .where(
      and(
        eq(appUser.status, 'active'),
        isNull(appUser.deletedAt),
        ne(appUser.id, authorId),
        q === ''
          ? undefined
          : sql`(${appUser.username} ilike ${pattern} or ${appUser.displayName} ilike ${pattern})`,
      ),
    )
    .orderBy(sql`${appUser.username} ilike ${pattern.slice(1)} desc`, appUser.username)
    .limit(LOOKED_AT)
  const readers = new Set(
    await readersAmong(
      tx,
      workflow,
      rows.map(({ id }) => id),
    ),
  )
  return rows.filter(({ id }) => readers.has(id)).slice(0, OFFERED)
}
