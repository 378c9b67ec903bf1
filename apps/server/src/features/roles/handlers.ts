import { and, count, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Endpoint } from '@weft/contract/core/endpoint'
import type { roles } from '@weft/contract/roles/api'
import type { Role } from '@weft/contract/roles/schema'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Deps } from '../../kit/deps.ts'
import type { Implementation } from '../../kit/implement.ts'
import { listOf } from '../../kit/list.ts'
import { findRecord, madeBy, newId, restoreRecords, trashRecords, updateRecord } from '../../kit/record.ts'
import { scopeColumns, sourceOf } from '../../kit/resource/definition.ts'
import { historyOf } from '../../kit/resource/history.ts'
import { listSource, viewOf } from '../../kit/resource/view.ts'
import { givableRoles, oneAtATime } from '../access/authority.ts'
import { notifyIdentityChange } from '../access/identities.ts'
import { readLine, rulesOf } from '../access/line.ts'
import { USERS } from '../access/people.ts'
import { requireProof } from '../access/proof.ts'
import { role, userRole, type RoleRow } from '../access/table.ts'
import { isBeyond } from '../access/within.ts'
import { notify } from '../notifications/notify.ts'
import { catalogueOf, TABLES } from './catalogue.ts'
import { explain } from './explain.ts'
import { freeKey } from './key.ts'
import { previewOf, type Instead } from './preview.ts'
import { roleRecord, roleRecordFor } from './record.ts'
import { checkRules } from './rules.ts'

const source = sourceOf(roleRecord)

/** Roles, and what they come to. */
export function roleHandlers(deps: Deps, endpoints: readonly Endpoint[]): Implementation<typeof roles> {
  const { now } = deps

  const forget = async (ctx: CallContext) => {
    await notifyIdentityChange(ctx.tx)
    ctx.afterCommit(() => deps.identities.forget())
  }

  return {
    list: (ctx, input) => listOf(ctx.tx, input, listSource(ctx, roleRecordFor(ctx.user.rules), input)),

    async get(ctx, { id }) {
      await findRecord(ctx, source, id)
      return roleView(ctx, id)
    },

    async create(ctx, input) {
      await requireProof(ctx, now())
      await oneAtATime(ctx.tx)
      const id = newId()
      const row = { id, ...madeBy(ctx), ...input, key: await freeKey(ctx.tx, input.name) }
      if (!ctx.can('CREATE', 'ROLE', row)) throw new AppError('access.denied')
      await checkRules(ctx, endpoints, input.rules)
      await ctx.tx.insert(role).values(row)
      const made = await roleView(ctx, id)
      ctx.audit({ feature: 'roles', recordId: id, after: made })
      ctx.event({ feature: 'roles', id, kind: 'created', ownerId: row.ownerId })
      return made
    },

    async update(ctx, { id, version, ...changes }) {
      await oneAtATime(ctx.tx)
      const row = await findRecord(ctx, source, id, 'UPDATE', { lock: true })
      for (const field of Object.keys(changes))
        if (!ctx.can('UPDATE', 'ROLE', row, field)) throw new AppError('access.denied')
      const { requiresTwoSteps: _two, ...others } = changes
      if (row.builtIn && Object.keys(others).length > 0) throw new AppError('role.built_in')
      requireWithin(ctx, row)
      await requireProof(ctx, now())
      const before = await roleView(ctx, id)
      if (before.version !== version) throw new AppError('record.stale', {}, { current: before })
      if (changes.rules) await checkRules(ctx, endpoints, changes.rules)
      await updateRecord(ctx.tx, role, { id, version }, changes, () => before)
      await forget(ctx)
      const after = await roleView(ctx, id)
      if (JSON.stringify(before.rules) !== JSON.stringify(after.rules)) await tellHolders(ctx, after)
      ctx.audit({ feature: 'roles', recordId: id, before, after })
      ctx.event({ feature: 'roles', id, kind: 'updated', ownerId: row.ownerId })
      return after
    },

    async remove(ctx, { id, replacement }) {
      await oneAtATime(ctx.tx)
      const row = await findRecord(ctx, source, id, 'DELETE', { lock: true })
      if (row.builtIn) throw new AppError('role.built_in')
      requireWithin(ctx, row)
      await requireProof(ctx, now())
      const people = await peopleWith(ctx, id)
      if (people > 0 && replacement === undefined) throw new AppError('role.in_use', { count: people })
      if (replacement !== undefined) await replaceBy(ctx, row, replacement)
      await ctx.tx.delete(userRole).where(eq(userRole.roleId, id))
      await trashRecords(ctx.tx, role, eq(role.id, id))
      await forget(ctx)
      const after = { deleted: true, ...(replacement === undefined ? {} : { replacement, people }) }
      ctx.audit({ feature: 'roles', recordId: id, before: { deleted: false }, after })
      ctx.event({ feature: 'roles', id, kind: 'deleted', ownerId: row.ownerId })
      return { replaced: replacement === undefined ? 0 : people }
    },

    async restore(ctx, { id }) {
      const row = await findRecord(ctx, source, id, 'DELETE', { trashed: true, lock: true })
      requireWithin(ctx, row)
      await restoreRecords(ctx.tx, role, eq(role.id, id))
      ctx.audit({ feature: 'roles', recordId: id, before: { deleted: true }, after: { deleted: false } })
      ctx.event({ feature: 'roles', id, kind: 'created', ownerId: row.ownerId })
      return roleView(ctx, id)
    },

    history: (ctx, input) => historyOf(ctx, roleRecord, input),

    async preview(ctx, { id, rules, replacement }) {
      const row = await findRecord(ctx, source, id)
      const instead = await insteadOf(ctx, row, rules, replacement)
      const rights = (await catalogueOf(ctx.tx, endpoints)).flatMap(({ subject, actions }) =>
        actions.map((action) => ({ subject, action })),
      )
      return previewOf(ctx, { roleId: id, roleKey: row.key, instead, rights })
    },

    async explain(ctx, { userId, action, subject, record: recordId }) {
      await findRecord(ctx, USERS, userId)
      const table = recordId === undefined ? undefined : TABLES[subject]
      if (recordId !== undefined && !table) throw noRecord()
      const record =
        table && recordId !== undefined
          ? await findRecord(ctx, { table, subject, columns: scopeColumns(table) }, recordId).catch(asLink)
          : undefined
      const names = await ctx.tx.select({ key: role.key, name: role.name }).from(role)
      const roleNames = new Map(names.map(({ key, name }) => [key, name]))
      return explain(await readLine(ctx.tx, userId), { action, subject, record }, roleNames)
    },

    catalogue: (ctx) => catalogueOf(ctx.tx, endpoints),
  }
}

function roleView(ctx: CallContext, id: string): Promise<Role> {
  return viewOf(ctx, roleRecordFor(ctx.user.rules), id)
}

function requireWithin(ctx: CallContext, row: RoleRow): void {
  if (isBeyond(rulesOf([row]), ctx.user.rules)) throw new AppError('role.beyond_own')
}

async function peopleWith(ctx: CallContext, roleId: string): Promise<number> {
  const [found] = await ctx.tx.select({ n: count() }).from(userRole).where(eq(userRole.roleId, roleId))
  return found?.n ?? 0
}

/** Tells all who have a role that it allows something else now; whoever changed it knows. */
async function tellHolders(ctx: CallContext, { id, name }: Role): Promise<void> {
  const holders = await ctx.tx
    .select({ userId: userRole.userId })
    .from(userRole)
    .where(and(eq(userRole.roleId, id), ne(userRole.userId, ctx.user.id)))
  await notify(
    ctx.tx,
    holders.map(({ userId }) => userId),
    { kind: 'role.rulesChanged', params: { by: ctx.user.username, role: name }, group: id },
  )
}

/** Gives another role to all who have this one. */
async function replaceBy(ctx: CallContext, row: RoleRow, key: string): Promise<void> {
  if (key === row.key) throw wrongReplacement()
  const [other] = await givableRoles(ctx, [key])
  if (other === undefined) throw wrongReplacement()
  await ctx.tx.execute(sql`
    insert into user_role (user_id, role_id) select user_id, ${other} from user_role where role_id = ${row.id}
    on conflict do nothing`)
}

async function insteadOf(
  ctx: CallContext,
  row: RoleRow,
  rules: RoleRow['rules'] | undefined,
  replacement: string | undefined,
): Promise<Instead> {
  if (rules) return { key: row.key, builtIn: false, rules }
  if (replacement === undefined) return null
  const [other] = await ctx.tx
    .select({ key: role.key, builtIn: role.builtIn, rules: role.rules })
    .from(role)
    .where(and(eq(role.key, replacement), isNull(role.deletedAt)))
  if (!other) throw wrongReplacement()
  return other
}

function wrongReplacement(): AppError {
  const params = { field: 'replacement' }
  return new AppError('link.not_found', params, {
    errors: [{ path: 'replacement', code: 'link.not_found', message: 'Name another role', params }],
  })
}

function noRecord(): AppError {
  const params = { field: 'record' }
  return new AppError('link.not_found', params, {
    errors: [{ path: 'record', code: 'link.not_found', message: 'Not found', params }],
  })
}

/** A record that the caller may not see is as good as none. */
function asLink(error: unknown): never {
  throw error instanceof AppError && error.code === 'record.not_found' ? noRecord() : error
}
