import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { personSchema } from '@weft/contract/users/schema'
import { quotaSchema } from '@weft/contract/users/quota'
import type { CallContext } from '../../kit/context.ts'
import { iso } from '../../kit/record.ts'
import { defineRecord } from '../../kit/resource/definition.ts'
import { commonView, oneOf } from '../../kit/resource/view.ts'
import { rulesOf } from '../access/line.ts'
import { appUser, role } from '../access/table.ts'
import { isBeyond } from '../access/within.ts'

const extras = {
  roles: sql`(select coalesce(json_agg(r.key order by r.key), '[]') from user_role ur
    join role r on r.id = ur.role_id and r.deleted_at is null where ur.user_id = ${appUser.id})`,
  lastSeenAt: sql`(select to_json(max(s.last_used_at)) from session s where s.user_id = ${appUser.id})`,
  createdByName: sql`(select c.username from app_user c where c.id = ${appUser.createdBy})`,
  parentName: sql`(select p.username from app_user p where p.id = ${appUser.parentId})`,
  quota: sql`(select coalesce(json_object_agg(q.kind, q.max_count), '{}') from user_quota q
    where q.user_id = ${appUser.id})`,
}
const furtherValues = z.object({
  roles: z.array(z.string()),
  lastSeenAt: z.string().nullable(),
  createdByName: z.string().nullable(),
  parentName: z.string().nullable(),
  quota: quotaSchema,
})

/** Who looks at people: what their roles are called, and which of them allow what the looker may not do. */
export interface Looker {
  userId: string
  roleNames: ReadonlyMap<string, string>
  beyond: ReadonlySet<string>
}

const NOBODY: Looker = { userId: '', roleNames: new Map(), beyond: new Set() }

/** What it takes to show people to the caller. */
export async function lookerOf(ctx: Pick<CallContext, 'tx' | 'user'>): Promise<Looker> {
  const rows = await ctx.tx
    .select({ key: role.key, name: role.name, builtIn: role.builtIn, rules: role.rules })
    .from(role)
  const beyond = rows.filter((one) => isBeyond(rulesOf([one]), ctx.user.rules))
  return {
    userId: ctx.user.id,
    roleNames: new Map(rows.map(({ key, name }) => [key, name])),
    beyond: new Set(beyond.map(({ key }) => key)),
  }
}

/** People, for the general ways of listing and showing records; changing them has rules of its own. */
export function personRecordFor(looker: Looker) {
  return defineRecord<typeof appUser, z.input<typeof personSchema>, object>({
    feature: 'users',
    subject: 'USER',
    table: appUser,
    // As the index of this expression has it.
    search: sql`(${appUser.username} || ' ' || ${appUser.displayName} || ' ' || coalesce(${appUser.email}, ''))`,
    sort: {
      username: appUser.username,
      displayName: appUser.displayName,
      email: appUser.email,
      status: appUser.status,
    },
    defaultSort: { by: 'username' },
    filter: (input) => [
      oneOf(appUser.status, input['status']),
      withRole(input['role']),
      madeBySomebody(input['ownerId']),
    ],
    extras,
    name: appUser.username,
    secrets: [],
    links: [],
    columns: () => ({}),
    present(row, further, decisions) {
      const { roles, lastSeenAt, createdByName, parentName, quota } = furtherValues.parse(further)
      const itself = row.id === looker.userId
      const beyond = roles.some((key) => looker.beyond.has(key)) ? 'user.beyond_own' : null
      const other = itself ? 'user.not_yourself' : beyond
      const turn = row.status === 'active' ? 'suspend' : 'activate'
      const common = commonView(row, 'USER', decisions, {
        actions: [
          { name: turn, action: 'MANAGE', obstacle: other },
          { name: 'handOut', action: 'MANAGE', obstacle: beyond },
          { name: 'resetTwoSteps', action: 'MANAGE', obstacle: beyond },
          { name: 'endSessions', action: 'MANAGE', obstacle: beyond },
          { name: 'transfer', action: 'MANAGE', obstacle: beyond },
        ],
      })
      return {
        ...withObstacles(common, { update: beyond, delete: other, restore: beyond }),
        username: row.username,
        email: row.email,
        displayName: row.displayName,
        roles,
        roleNames: Object.fromEntries(roles.map((key) => [key, looker.roleNames.get(key) ?? key])),
        locale: row.locale,
        timeZone: row.timeZone,
        status: row.status,
        hasPassword: row.passwordHash !== null,
        lastSeenAt: lastSeenAt === null ? null : new Date(lastSeenAt).toISOString(),
        parentId: row.parentId,
        parentName,
        createdByName,
        quota,
        deletedAt: iso(row.deletedAt),
      }
    },
  })
}

/** People as nobody in particular sees them: for scopes, which do not present. */
export const personRecord = personRecordFor(NOBODY)

/** Takes what stands in the way of a common action out of `can`. */
function withObstacles<V extends { can: string[]; cannot: Record<string, string> }>(
  view: V,
  obstacles: Readonly<Record<string, string | null>>,
): V {
  const blocked = view.can.filter((name) => Boolean(obstacles[name]))
  return {
    ...view,
    can: view.can.filter((name) => !blocked.includes(name)),
    cannot: { ...view.cannot, ...Object.fromEntries(blocked.map((name) => [name, obstacles[name] ?? ''])) },
  }
}

function madeBySomebody(ownerId: unknown) {
  return typeof ownerId === 'string'
    ? sql`${appUser.ownerId} = ${ownerId}::uuid and ${appUser.id} <> ${ownerId}::uuid`
    : undefined
}

function withRole(keys: unknown) {
  if (!Array.isArray(keys) || keys.length === 0) return undefined
  return sql`exists (select 1 from user_role ur join role r on r.id = ur.role_id
    where ur.user_id = ${appUser.id} and r.key = any(${sql.param(keys.map(String))}::text[]))`
}
