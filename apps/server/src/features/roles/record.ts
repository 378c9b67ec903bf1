import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { roleSchema } from '@weft/contract/roles/schema'
import type { Rule } from '@weft/contract/core/permissions'
import { defineRecord } from '../../kit/resource/definition.ts'
import { commonView } from '../../kit/resource/view.ts'
import { rulesOf } from '../access/line.ts'
import { role } from '../access/table.ts'
import { isBeyond } from '../access/within.ts'

const extras = {
  people: sql`(select count(*)::int from user_role ur join app_user u on u.id = ur.user_id
    where ur.role_id = ${role.id} and u.deleted_at is null)`,
}
const furtherValues = z.object({ people: z.number() })

/** Roles as somebody with these rules sees them. */
export function roleRecordFor(own: readonly Rule[]) {
  return defineRecord<typeof role, z.input<typeof roleSchema>, object>({
    feature: 'roles',
    subject: 'ROLE',
    table: role,
    search: sql`(${role.name} || ' ' || ${role.key} || ' ' || ${role.description})`,
    sort: { name: role.name },
    defaultSort: { by: 'name' },
    filter: () => [],
    extras,
    name: role.name,
    secrets: [],
    links: [],
    columns: () => ({}),
    present(row, further, decisions) {
      const rules = rulesOf([row])
      const beyond = isBeyond(rules, own) ? 'role.beyond_own' : null
      const fixed = row.builtIn ? 'role.built_in' : beyond
      const common = commonView(row, 'ROLE', decisions, {
        actions: [{ name: 'requireTwoSteps', action: 'UPDATE', obstacle: beyond }],
      })
      const blocked = fixed ? common.can.filter((name) => name !== 'requireTwoSteps') : []
      return {
        ...common,
        can: common.can.filter((name) => !blocked.includes(name)),
        cannot: { ...common.cannot, ...Object.fromEntries(blocked.map((name) => [name, fixed ?? ''])) },
        key: row.key,
        name: row.name,
        description: row.description,
        rules,
        builtIn: row.builtIn,
        requiresTwoSteps: row.requiresTwoSteps,
        people: furtherValues.parse(further).people,
      }
    },
  })
}

/** Roles as nobody in particular sees them: for scopes, which do not present. */
export const roleRecord = roleRecordFor([])
