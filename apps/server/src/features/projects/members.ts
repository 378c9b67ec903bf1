import { and, eq, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { projects } from '@weft/contract/projects/api'
import {
  MAX_MEMBERS,
  MEMBER_ROLES,
  memberRules,
  type MemberRole,
  type projectMemberSchema,
} from '@weft/contract/projects/members'
import { decisionsFor } from '../../kit/access.ts'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext, Tx } from '../../kit/context.ts'
import type { Deps } from '../../kit/deps.ts'
import type { Implementation } from '../../kit/implement.ts'
import { findRecord, iso } from '../../kit/record.ts'
import { sourceOf } from '../../kit/resource/definition.ts'
import { actionsOf, subjectsOf } from '../access/bounds.ts'
import { notifyIdentityChange } from '../access/identities.ts'
import { readLine, rulesInLine } from '../access/line.ts'
import { appUser } from '../access/table.ts'
import { requireOpen } from './open.ts'
import { projectRecord } from './record.ts'
import { projectMember, type ProjectRow } from './table.ts'

type Own = Pick<Implementation<typeof projects>, 'members' | 'setMember' | 'removeMember'>

/** Who is in a project. What a role there lets them do comes into their rules (`access/line.ts`), and nowhere else. */
export function memberHandlers(deps: Pick<Deps, 'identities'>): Own {
  const source = sourceOf(projectRecord)
  const changed = async (ctx: CallContext, project: ProjectRow, change: object) => {
    await notifyIdentityChange(ctx.tx)
    ctx.afterCommit(() => deps.identities.forget())
    ctx.audit({ feature: 'projects', recordId: project.id, ...change })
    ctx.event({ feature: 'projects', id: project.id, kind: 'updated', ownerId: project.ownerId })
  }
  return {
    async members(ctx, { id }) {
      await findRecord(ctx, source, id)
      return listMembers(ctx.tx, id)
    },

    async setMember(ctx, { id, username, role }) {
      const project = await findRecord(ctx, source, id, 'UPDATE', { lock: true })
      requireOpen(project)
      const person = await findPerson(ctx.tx, username)
      if (person.id === project.ownerId) throw new AppError('project.owner_stays')
      const [before] = await ctx.tx
        .select({ role: projectMember.role })
        .from(projectMember)
        .where(and(eq(projectMember.projectId, id), eq(projectMember.userId, person.id)))
      if (!mayGive(ctx, project, role) || (before && !mayGive(ctx, project, before.role)))
        throw new AppError('project.beyond_own')
      if (!before && (await ctx.tx.$count(projectMember, eq(projectMember.projectId, id))) > MAX_MEMBERS)
        throw new AppError('project.too_many', { max: MAX_MEMBERS })
      await ctx.tx
        .insert(projectMember)
        .values({ projectId: id, userId: person.id, role, addedBy: ctx.user.id })
        .onConflictDoUpdate({
          target: [projectMember.projectId, projectMember.userId],
          set: { role, addedBy: ctx.user.id, addedAt: sql`now()` },
        })
      await requireEffect(ctx.tx, project, person, role)
      await changed(ctx, project, {
        before: { member: person.username, role: before?.role ?? null },
        after: { member: person.username, role },
      })
      return listMembers(ctx.tx, id)
    },

    async removeMember(ctx, { id, username }) {
      const leaving = username.toLowerCase() === ctx.user.username.toLowerCase()
      const project = await findRecord(ctx, source, id, leaving ? 'VIEW' : 'UPDATE', { lock: true })
      const person = await findPerson(ctx.tx, username, { alsoGone: true })
      if (person.id === project.ownerId) throw new AppError('project.owner_stays')
      const [gone] = await ctx.tx
        .delete(projectMember)
        .where(and(eq(projectMember.projectId, id), eq(projectMember.userId, person.id)))
        .returning({ role: projectMember.role })
      if (!gone) throw new AppError('record.not_found')
      if (!leaving && !mayGive(ctx, project, gone.role)) throw new AppError('project.beyond_own')
      await changed(ctx, project, {
        before: { member: person.username, role: gone.role },
        after: { member: person.username, role: null },
      })
    },
  }
}

/** Whether the caller may do in the project all that a role there allows: with what is anybody's, or as its owner. */
function mayGive(ctx: CallContext, project: ProjectRow, role: MemberRole): boolean {
  const ownerId = project.ownerId === ctx.user.id ? ctx.user.id : null
  return isAllowed(ctx, project.id, ownerId, role)
}

function isAllowed(
  { can }: Pick<CallContext, 'can'>,
  projectId: string,
  ownerId: string | null,
  role: MemberRole,
): boolean {
  const record = { id: projectId, projectId, ownerId }
  return memberRules(role, [projectId]).every((rule) =>
    actionsOf(rule).every((action) =>
      // Taking things out is for whoever may see them; it is no right of its own within a project.
      subjectsOf(rule).every((subject) => action === 'EXPORT' || can(action, subject, record)),
    ),
  )
}

/** Refuses a role that would change nothing, since nobody above the person may do in the project what it allows. */
async function requireEffect(
  tx: Tx,
  project: ProjectRow,
  person: { id: string; username: string },
  role: MemberRole,
): Promise<void> {
  const rules = rulesInLine(await readLine(tx, person.id))
  if (!isAllowed(decisionsFor(rules, person.id), project.id, null, role))
    throw new AppError('project.member_bound', { name: person.username })
}

async function findPerson(
  tx: Tx,
  username: string,
  options: { alsoGone?: boolean } = {},
): Promise<{ id: string; username: string }> {
  const [found] = await tx
    .select({ id: appUser.id, username: appUser.username })
    .from(appUser)
    .where(
      and(
        sql`lower(${appUser.username}) = lower(${username})`,
        options.alsoGone ? undefined : isNull(appUser.deletedAt),
      ),
    )
    .orderBy(sql`${appUser.deletedAt} desc nulls first`)
    .limit(1)
  if (found) return found
  const params = { field: 'username' }
  throw new AppError('link.not_found', params, {
    errors: [{ path: 'username', code: 'link.not_found', message: 'Not found', params }],
  })
}

const memberRow = z.object({
  userId: z.string(),
  username: z.string(),
  displayName: z.string(),
  role: z.enum(MEMBER_ROLES),
  isOwner: z.boolean(),
  active: z.boolean(),
  addedAt: z.coerce.date().nullable(),
  addedByName: z.string().nullable(),
})

async function listMembers(tx: Tx, projectId: string): Promise<z.input<typeof projectMemberSchema>[]> {
  const { rows } = await tx.execute(sql`
    select u.id as "userId", u.username, u.display_name as "displayName", coalesce(m.role, 'manager') as role,
      u.id = p.owner_id as "isOwner", u.status = 'active' and u.deleted_at is null as active,
      m.added_at as "addedAt", (select by.display_name from app_user by where by.id = m.added_by) as "addedByName"
    from project p join app_user u on u.id = p.owner_id
      or u.id in (select pm.user_id from project_member pm where pm.project_id = p.id)
    left join project_member m on m.project_id = p.id and m.user_id = u.id
    where p.id = ${projectId} order by u.id = p.owner_id desc, lower(u.username)`)
  return rows.map((raw) => {
    const { addedAt, ...member } = memberRow.parse(raw)
    return { ...member, addedAt: iso(addedAt) }
  })
}
