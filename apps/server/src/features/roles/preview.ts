import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Action, Rule, Subject } from '@weft/contract/core/permissions'
import type { Right, RolePreview } from '@weft/contract/roles/schema'
import type { CallContext, Tx } from '../../kit/context.ts'
import { actionsOf, subjectsOf } from '../access/bounds.ts'
import { readLines, rulesInLine, type Member } from '../access/line.ts'
import { USERS } from '../access/people.ts'
import { isBeyond } from '../access/within.ts'

const SHOWN = 200

/** What people have in a role's place after a change: other rules, another role, or nothing. */
export type Instead = Member['roles'][number] | null

const idRow = z.object({ id: z.string(), visible: z.boolean() })

/** Who would gain and lose what, if those who have a role had something else instead; sub-users of theirs too. */
export async function previewOf(
  ctx: Pick<CallContext, 'tx' | 'scope'>,
  given: { roleId: string; roleKey: string; instead: Instead; rights: readonly Right[] },
): Promise<RolePreview> {
  const people = await concernedBy(ctx, given.roleId)
  const lines = await readLines(ctx.tx, [...people.keys()])
  const changes = new Map<string, Change>()
  const answer: RolePreview['people'] = []
  const totals = new Map<string, { right: Right; gains: number; losses: number }>()
  let concerned = 0
  for (const [id, line] of lines) {
    const [person] = line
    if (!person?.active) continue
    const before = rulesInLine(line)
    const after = rulesInLine(line.map((member) => exchanged(member, given.roleKey, given.instead)))
    const { gains, losses } = differenceOf(before, after, given.rights, changes)
    if (gains.length === 0 && losses.length === 0) continue
    concerned += 1
    count(totals, gains, 'gains')
    count(totals, losses, 'losses')
    const { username, displayName } = person
    if (people.get(id) === true && answer.length < SHOWN)
      answer.push({ id, username, displayName, gains: [...gains], losses: [...losses] })
  }
  return {
    people: answer.sort((a, b) => a.username.localeCompare(b.username)),
    concerned,
    totals: [...totals.values()].map(({ right, gains, losses }) => ({ ...right, gains, losses })),
  }
}

/** Those who have a role and all below them, and whether the caller may see each. */
async function concernedBy(
  ctx: { tx: Tx } & Pick<CallContext, 'scope'>,
  roleId: string,
): Promise<Map<string, boolean>> {
  const { rows } = await ctx.tx.execute(sql`
    with recursive below as (
      select user_id as id from user_role where role_id = ${roleId}
      union
      select u.id from app_user u join below on u.parent_id = below.id)
    select id, ${ctx.scope('VIEW', 'USER', USERS.columns)} as visible from app_user
      where id in (select id from below) and deleted_at is null`)
  return new Map(rows.map((row) => idRow.parse(row)).map(({ id, visible }) => [id, visible]))
}

function exchanged(member: Member, key: string, instead: Instead): Member {
  if (!member.roles.some((one) => one.key === key)) return member
  const others = member.roles.filter((one) => one.key !== key)
  // In the order of keys, as they are read: the order decides where rules forbid.
  const roles = instead ? [...others, instead].sort((a, b) => (a.key < b.key ? -1 : 1)) : others
  return { ...member, roles }
}

interface Change {
  gains: readonly Right[]
  losses: readonly Right[]
}

/** What is allowed by one and not by the other; worked out once for all who have the same. */
function differenceOf(
  before: readonly Rule[],
  after: readonly Rule[],
  rights: readonly Right[],
  known: Map<string, Change>,
): Change {
  const key = JSON.stringify([before, after])
  const found = known.get(key)
  if (found) return found
  const gains: Right[] = []
  const losses: Right[] = []
  for (const right of rights) {
    const [had, has] = [only(before, right), only(after, right)]
    if (JSON.stringify(had) === JSON.stringify(has)) continue
    if (isBeyond(has, had)) gains.push(right)
    if (isBeyond(had, has)) losses.push(right)
  }
  const change = { gains, losses }
  known.set(key, change)
  return change
}

/** What rules say of one action on one function. */
function only(rules: readonly Rule[], { action, subject }: { action: Action; subject: Subject }): Rule[] {
  return rules
    .filter((rule) => actionsOf(rule).includes(action) && subjectsOf(rule).includes(subject))
    .map((rule) => ({ ...rule, action, subject }))
}

function count(
  totals: Map<string, { right: Right; gains: number; losses: number }>,
  rights: readonly Right[],
  side: 'gains' | 'losses',
): void {
  for (const right of rights) {
    const key = `${right.subject}.${right.action}`
    const entry = totals.get(key) ?? { right, gains: 0, losses: 0 }
    totals.set(key, entry)
    entry[side] += 1
  }
}
