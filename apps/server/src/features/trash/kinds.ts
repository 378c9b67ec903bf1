import { eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Subject } from '@weft/contract/core/permissions'
import { TRASH_SUBJECTS, type TrashKind } from '@weft/contract/trash/schema'
import type { CallContext, ScopeColumns } from '../../kit/context.ts'
import { scopeColumns, type RecordDefinition } from '../../kit/resource/definition.ts'
import { rulesOf } from '../access/line.ts'
import { USERS } from '../access/people.ts'
import { role, userRole } from '../access/table.ts'
import { isBeyond } from '../access/within.ts'
import { accountResource } from '../accounts/resource.ts'
import { campaignSource } from '../campaigns/source.ts'
import { campaign } from '../campaigns/table.ts'
import { clientResource } from '../clients/resource.ts'
import { phoneResource } from '../phones/resource.ts'
import { profileResource } from '../profiles/resource.ts'
import { project } from '../projects/table.ts'
import { proxyResource } from '../proxies/resource.ts'
import { roleRecord } from '../roles/record.ts'
import { personRecord } from '../users/record.ts'
import { videoResource } from '../videos/resource.ts'
import { workflowSource } from '../workflows/record.ts'
import { workflow } from '../workflows/table.ts'
import { freeIn } from './empty.ts'

/** A kind of record that can lie in the trash: where it is, whose rules see it, by what it is known and found. */
export interface TrashedKind {
  kind: TrashKind
  subject: Subject
  table: PgTable & Record<'id' | 'ownerId' | 'deletedAt', PgColumn>
  columns: ScopeColumns
  name: PgColumn
  search: readonly (PgColumn | SQL)[]
  where?: SQL
  /** Whether it goes for good by itself after its days; without it, nothing of the kind does. */
  goes?: SQL
  /** Whether its project is closed to changes, so that it cannot come back now. */
  closed?: SQL
  /** Under which features its history tells of it, where these are not only the kind's own. */
  removedAs?: readonly string[]
  /** Which of these the caller may not take back, as they allow what the caller may not do. */
  beyond?: (ctx: Pick<CallContext, 'tx' | 'user'>, ids: readonly string[]) => Promise<ReadonlySet<string>>
}

function going(table: PgTable): Pick<TrashedKind, 'goes'> {
  const goes = freeIn(table)
  return goes ? { goes } : {}
}

type Definition = Pick<RecordDefinition, 'table' | 'name' | 'search'>

function ofResource(kind: TrashKind, { table, name, search }: Definition): TrashedKind {
  return {
    kind,
    subject: TRASH_SUBJECTS[kind],
    table,
    name,
    search: [search],
    columns: scopeColumns(table),
    ...going(table),
  }
}

const inClosedProject = (id: PgColumn) =>
  sql`exists (select 1 from ${project} where ${project.id} = ${id} and ${project.status} <> 'active')`

/** Every kind of the common trash. */
export const TRASHED: readonly TrashedKind[] = [
  ofResource('accounts', accountResource),
  ofResource('clients', clientResource),
  ofResource('profiles', profileResource),
  ofResource('phones', phoneResource),
  ofResource('proxies', proxyResource),
  ofResource('videos', videoResource),
  {
    kind: 'campaigns',
    subject: TRASH_SUBJECTS.campaigns,
    table: campaign,
    columns: campaignSource.columns,
    name: campaign.title,
    search: [campaign.title],
    closed: inClosedProject(campaign.projectId),
  },
  {
    kind: 'workflows',
    subject: TRASH_SUBJECTS.workflows,
    table: workflow,
    columns: workflowSource.columns,
    name: workflow.name,
    search: [workflow.search],
    where: eq(workflow.kind, 'workflow'),
    ...going(workflow),
    closed: inClosedProject(workflow.projectId),
  },
  {
    kind: 'activities',
    subject: TRASH_SUBJECTS.activities,
    table: workflow,
    columns: workflowSource.columns,
    name: workflow.name,
    search: [workflow.search],
    // Those that are made of steps; the others cannot be thrown away.
    where: eq(workflow.kind, 'activity'),
    ...going(workflow),
    closed: inClosedProject(workflow.projectId),
    removedAs: ['activities', 'workflows'],
  },
  {
    kind: 'projects',
    subject: TRASH_SUBJECTS.projects,
    table: project,
    columns: scopeColumns(project),
    name: project.name,
    search: [project.search],
    ...going(project),
  },
  { ...ofResource('users', personRecord), columns: USERS.columns, beyond: peopleBeyond },
  { ...ofResource('roles', roleRecord), beyond: rolesBeyond },
]

async function peopleBeyond({ tx, user }: Pick<CallContext, 'tx' | 'user'>, ids: readonly string[]) {
  const held = await tx
    .select({ id: userRole.userId, key: role.key, builtIn: role.builtIn, rules: role.rules })
    .from(userRole)
    .innerJoin(role, eq(role.id, userRole.roleId))
    .where(inArray(userRole.userId, [...ids]))
  return new Set(held.flatMap((one) => (isBeyond(rulesOf([one]), user.rules) ? [one.id] : [])))
}

async function rolesBeyond({ tx, user }: Pick<CallContext, 'tx' | 'user'>, ids: readonly string[]) {
  const rows = await tx
    .select({ id: role.id, key: role.key, builtIn: role.builtIn, rules: role.rules })
    .from(role)
    .where(inArray(role.id, [...ids]))
  return new Set(rows.flatMap((one) => (isBeyond(rulesOf([one]), user.rules) ? [one.id] : [])))
}
