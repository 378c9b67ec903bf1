import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { BUILT_IN_ROLES, ruleSchema, SUBJECTS, type Rule } from '@weft/contract/core/permissions'
import { MEMBER_ROLES, memberRules } from '@weft/contract/projects/members'
import type { Tx } from '../../kit/context.ts'
import { intersectRules, withoutSubjects } from './bounds.ts'

/** What the keys of roles within projects begin with. */
export const MEMBERSHIP = 'project:'

/** Beyond so many generations nobody holds anything: there is no such family, only a mistake. */
const GENERATIONS = 20

const roleRow = z.object({ key: z.string(), builtIn: z.boolean(), rules: z.array(ruleSchema).nullable() })
const membershipRow = z.object({ role: z.enum(MEMBER_ROLES), projectIds: z.array(z.string()) })
const memberRow = z.object({
  id: z.string(),
  username: z.string(),
  displayName: z.string(),
  parentId: z.string().nullable(),
  active: z.boolean(),
  roles: z.array(roleRow),
  off: z.array(z.enum(SUBJECTS)),
  memberships: z.array(membershipRow),
})

const rootedRow = memberRow.extend({ root: z.string() })

/**
 * A person with their roles, as rules need them. What they are in projects stands among the roles, before all others: what
 * a role forbids is forbidden there too.
 */
export type Member = Omit<z.infer<typeof memberRow>, 'memberships'>

/** Somebody and all above them, the person first; in one query. Nobody of that id: empty. */
export async function readLine(tx: Tx, userId: string): Promise<Member[]> {
  return (await readLines(tx, [userId])).get(userId) ?? []
}

/** The same for several people at once, by their ids. */
export async function readLines(tx: Tx, userIds: readonly string[]): Promise<Map<string, Member[]>> {
  const { rows } = await tx.execute(sql`
    with recursive line as (
      select id as root, id, parent_id, 0 as depth from app_user where id = any(${sql.param([...userIds])}::uuid[])
      union all
      select line.root, above.id, above.parent_id, line.depth + 1
      from app_user above join line on above.id = line.parent_id where line.depth < ${GENERATIONS})
    select line.root, u.id, u.username, u.display_name as "displayName", u.parent_id as "parentId",
      u.status = 'active' and u.deleted_at is null as active,
      (select coalesce(json_agg(json_build_object('key', r.key, 'builtIn', r.built_in, 'rules', r.rules) order by r.key), '[]')
        from user_role ur join role r on r.id = ur.role_id and r.deleted_at is null where ur.user_id = u.id) as roles,
      (select coalesce(json_agg(json_build_object('role', m.role, 'projectIds', m.ids) order by m.role), '[]')
        from (select pm.role, json_agg(pm.project_id order by pm.project_id) as ids from project_member pm
          join project p on p.id = pm.project_id and p.deleted_at is null where pm.user_id = u.id group by pm.role) m) as memberships,
      (select coalesce(json_agg(f.subject), '[]') from function_state f where not f.enabled) as off
    from line join app_user u on u.id = line.id order by line.root, line.depth`)
  const lines = new Map<string, Member[]>()
  for (const row of rows) {
    const { root, memberships, roles, ...person } = rootedRow.parse(row)
    const within = memberships.map(({ role, projectIds }) => ({
      key: `${MEMBERSHIP}${role}`,
      builtIn: false,
      rules: memberRules(role, projectIds),
    }))
    const member = { ...person, roles: [...within, ...roles] }
    const line = lines.get(root)
    if (line) line.push(member)
    else lines.set(root, [member])
  }
  return lines
}

/** The rules of roles, in the roles' order. A built-in role's come with the program. */
export function rulesOf(roles: readonly { key: string; builtIn: boolean; rules: Rule[] | null }[]): Rule[] {
  return roles.flatMap(({ key, builtIn, rules }) => {
    if (!builtIn) return rules ?? []
    return isBuiltIn(key) ? BUILT_IN_ROLES[key] : []
  })
}

function isBuiltIn(key: string): key is keyof typeof BUILT_IN_ROLES {
  return key in BUILT_IN_ROLES
}

/**
 * What the first of a line may do in the end: their roles' rules, cut to what everybody above them holds, without the
 * functions that are off. Whoever is suspended holds nothing, and so nobody below them does.
 */
export function rulesInLine(line: readonly Member[]): Rule[] {
  const [person, ...above] = line
  const whole = line.at(-1)?.parentId === null
  if (!person || !whole || above.some(({ active }) => !active)) return []
  const rules = above.reduce(
    (held, { roles }) => (isAdministrator(roles) ? held : intersectRules(held, rulesOf(roles))),
    rulesOf(person.roles),
  )
  return isAdministrator(person.roles) ? rules : withoutSubjects(rules, new Set(person.off))
}

/** Whether somebody is an administrator, who is bound by nothing. */
export function isAdministrator(roles: Member['roles']): boolean {
  return roles.some(({ key, builtIn }) => builtIn && key === 'administrator')
}
