import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { personSchema } from '@weft/contract/users/schema'
import { defineRecord } from '../../kit/resource/definition.ts'
import { commonView, oneOf } from '../../kit/resource/view.ts'
import { appUser } from '../access/table.ts'

const extras = {
  roles: sql`(select coalesce(json_agg(r.key order by r.key), '[]') from user_role ur
    join role r on r.id = ur.role_id where ur.user_id = ${appUser.id})`,
  lastSeenAt: sql`(select to_json(max(s.last_used_at)) from session s where s.user_id = ${appUser.id})`,
}
const furtherValues = z.object({ roles: z.array(z.string()), lastSeenAt: z.string().nullable() })

/** People, for the general ways of listing and showing records; changing them has rules of its own. */
export const personRecord = defineRecord<typeof appUser, z.input<typeof personSchema>, object>({
  feature: 'users',
  subject: 'USER',
  table: appUser,
  search: sql`(${appUser.username} || ' ' || ${appUser.displayName} || ' ' || coalesce(${appUser.email}, ''))`,
  sort: {
    username: appUser.username,
    displayName: appUser.displayName,
    email: appUser.email,
    status: appUser.status,
  },
  defaultSort: { by: 'username' },
  filter: (input) => [oneOf(appUser.status, input['status']), withRole(input['role'])],
  extras,
  name: appUser.username,
  secrets: [],
  links: [],
  columns: () => ({}),
  present(row, further, decisions) {
    const { roles, lastSeenAt } = furtherValues.parse(further)
    const turn = row.status === 'active' ? 'suspend' : 'activate'
    const common = commonView(row, 'USER', decisions, { actions: [{ name: turn, action: 'MANAGE' }] })
    return {
      ...common,
      can: common.can.filter((name) => name !== 'delete'),
      username: row.username,
      email: row.email,
      displayName: row.displayName,
      roles,
      locale: row.locale,
      timeZone: row.timeZone,
      status: row.status,
      hasPassword: row.passwordHash !== null,
      lastSeenAt: lastSeenAt === null ? null : new Date(lastSeenAt).toISOString(),
    }
  },
})

function withRole(keys: unknown) {
  if (!Array.isArray(keys) || keys.length === 0) return undefined
  return sql`exists (select 1 from user_role ur join role r on r.id = ur.role_id
    where ur.user_id = ${appUser.id} and r.key = any(${sql.param(keys.map(String))}::text[]))`
}
