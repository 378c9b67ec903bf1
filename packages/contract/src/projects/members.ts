import { z } from 'zod'
import type { Rule } from '../core/permissions.ts'
import { id, timestamp } from '../core/record.ts'

/** What somebody can be within a project. */
export const MEMBER_ROLES = ['viewer', 'editor', 'operator', 'manager'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/** How many people may be in one project. */
export const MAX_MEMBERS = 200

/** What a role lets its holder do in these projects, beyond what their own roles say. */
export function memberRules(role: MemberRole, projectIds: readonly string[]): Rule[] {
  const conditions = { projectId: { $in: [...projectIds] } }
  const itself = { id: { $in: [...projectIds] } }
  const look: Rule[] = [
    { action: ['VIEW', 'EXPORT'], subject: 'PROJECT', conditions: itself },
    { action: 'VIEW', subject: ['WORKFLOW', 'CAMPAIGN'], conditions },
  ]
  const edit: Rule = {
    action: ['CREATE', 'UPDATE', 'DELETE', 'PUBLISH', 'EXPORT'],
    subject: 'WORKFLOW',
    conditions,
  }
  const operate: Rule = {
    action: ['CREATE', 'UPDATE', 'DELETE', 'RUN', 'EXPORT'],
    subject: 'CAMPAIGN',
    conditions,
  }
  const lead: Rule = { action: 'UPDATE', subject: 'PROJECT', conditions: itself }
  const more = { viewer: [], editor: [edit], operator: [operate], manager: [edit, operate, lead] }
  return [...look, ...more[role]]
}

/** Somebody in a project. */
export const projectMemberSchema = z.object({
  userId: id,
  username: z.string(),
  displayName: z.string(),
  role: z.enum(MEMBER_ROLES),
  /** Whoever owns the project is in it as its manager. */
  isOwner: z.boolean(),
  /** Suspended people are in the list and do nothing. */
  active: z.boolean(),
  addedAt: timestamp.nullable(),
  addedByName: z.string().nullable(),
})
export type ProjectMember = z.infer<typeof projectMemberSchema>
