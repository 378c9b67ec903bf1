import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { devices } from '@weft/contract/devices/api'
import type { deviceSchema } from '@weft/contract/devices/schema'
import { databaseFailure } from '../../db/errors.ts'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext, Decisions } from '../../kit/context.ts'
import type { Implementation } from '../../kit/implement.ts'
import { listOf } from '../../kit/list.ts'
import { iso, newId } from '../../kit/record.ts'
import { scopeColumns, type Use } from '../../kit/resource/definition.ts'
import { oneOf } from '../../kit/resource/view.ts'
import { profile } from '../profiles/table.ts'
import { device, type DeviceRow } from './table.ts'

type View = z.input<typeof deviceSchema>

/** Device presets: listed for everybody who may see them; people make, change and delete those of their own. */
export const deviceHandlers: Implementation<typeof devices> = {
  list: (ctx, input) =>
    listOf(ctx.tx, input, {
      rows: (tx) => tx.select().from(device).$dynamic(),
      table: device,
      id: device.id,
      where: [
        ctx.scope('VIEW', 'DEVICE', scopeColumns(device)),
        oneOf(device.kind, input.kind),
        input.builtIn === undefined ? undefined : eq(device.builtIn, input.builtIn),
      ],
      search: [device.name],
      sort: { name: device.name, kind: device.kind, updatedAt: device.updatedAt },
      defaultSort: { by: 'name' },
      present: (rows) => rows.map((row) => present(ctx, row)),
    }),

  get: async (ctx, { id }) => present(ctx, await find(ctx, id, 'VIEW')),

  async create(ctx, input) {
    const row = {
      id: newId(),
      ownerId: ctx.user.id,
      createdBy: ctx.user.id,
      ...columnsOf(input),
    }
    if (!ctx.can('CREATE', 'DEVICE', row)) throw new AppError('access.denied')
    const [made] = await named(() =>
      ctx.tx
        .insert(device)
        .values({ ...row, ...whole(input) })
        .returning(),
    )
    if (!made) throw new Error('the device was not made')
    const view = present(ctx, made)
    ctx.audit({ feature: 'devices', recordId: row.id, after: view })
    ctx.event({ feature: 'devices', id: row.id, kind: 'created', ownerId: row.ownerId })
    return view
  },

  async update(ctx, { id, version, ...changes }) {
    const before = await find(ctx, id, 'UPDATE')
    for (const field of Object.keys(changes))
      if (!ctx.can('UPDATE', 'DEVICE', before, field)) throw new AppError('access.denied')
    if (before.builtIn) throw new AppError('device.built_in')
    if (before.version !== version) throw new AppError('record.stale', {}, { current: present(ctx, before) })
    const [after] = await named(() =>
      ctx.tx
        .update(device)
        .set({ ...columnsOf(changes), version: sql`${device.version} + 1`, updatedAt: sql`now()` })
        .where(and(eq(device.id, id), eq(device.version, version)))
        .returning(),
    )
    if (!after) throw new AppError('record.not_found')
    const view = present(ctx, after)
    ctx.audit({ feature: 'devices', recordId: id, before: present(ctx, before), after: view })
    ctx.event({ feature: 'devices', id, kind: 'updated', ownerId: after.ownerId })
    return view
  },

  async remove(ctx, { id }) {
    const before = await find(ctx, id, 'DELETE')
    if (before.builtIn) throw new AppError('device.built_in')
    const [user] = await ctx.tx
      .select({ id: profile.id })
      .from(profile)
      .where(and(eq(profile.deviceId, id), sql`${profile.deletedAt} is null`))
      .limit(1)
    if (user) throw new AppError('record.in_use')
    await ctx.tx.delete(device).where(eq(device.id, id))
    ctx.audit({ feature: 'devices', recordId: id, before: present(ctx, before) })
    ctx.event({ feature: 'devices', id, kind: 'deleted', ownerId: before.ownerId })
  },

  async whereUsed(ctx, { id }) {
    await find(ctx, id, 'VIEW')
    const rows = await ctx.tx
      .select({ id: profile.id, name: profile.name })
      .from(profile)
      .where(
        and(
          eq(profile.deviceId, id),
          sql`${profile.deletedAt} is null`,
          ctx.scope('VIEW', 'PROFILE', scopeColumns(profile)),
        ),
      )
      .orderBy(profile.name)
      .limit(100)
    return rows.map((row): Use => ({ feature: 'profiles', ...row, blocks: true }))
  },
}

/** The preset for an action, held until the end of the transaction where it is to be changed. */
async function find(
  ctx: Pick<CallContext, 'tx' | 'scope'>,
  id: string,
  action: 'VIEW' | 'UPDATE' | 'DELETE',
): Promise<DeviceRow> {
  const columns = scopeColumns(device)
  const query = ctx.tx
    .select({ row: device, allowed: sql<boolean>`${ctx.scope(action, 'DEVICE', columns)}` })
    .from(device)
    .where(and(eq(device.id, id), ctx.scope('VIEW', 'DEVICE', columns)))
  const [found] = await (action === 'VIEW' ? query : query.for('update', { of: device }))
  if (!found) throw new AppError('record.not_found')
  if (!found.allowed) throw new AppError('access.denied')
  return found.row
}

type Input = z.output<typeof devices.create.input>

function columnsOf({ viewport, ...plain }: Partial<Input>): Partial<DeviceRow> {
  return { ...plain, ...(viewport ? { width: viewport.width, height: viewport.height } : {}) }
}

/** What a new row must have. */
function whole({ name, kind, viewport, scale, touch, mobile }: Input) {
  return { name, kind, width: viewport.width, height: viewport.height, scale, touch, mobile }
}

function present({ can }: Pick<Decisions, 'can'>, row: DeviceRow): View {
  const { width, height, createdBy: _by, createdAt, updatedAt, ...plain } = row
  const able: string[] = []
  const cannot: Record<string, string> = {}
  for (const [name, action] of [
    ['update', 'UPDATE'],
    ['delete', 'DELETE'],
  ] as const)
    if (row.builtIn) cannot[name] = 'device.built_in'
    else if (can(action, 'DEVICE', row)) able.push(name)
    else cannot[name] = 'access.denied'
  return {
    ...plain,
    viewport: { width, height },
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
    can: able,
    cannot,
  }
}

async function named<R>(write: () => PromiseLike<R>): Promise<R> {
  try {
    return await write()
  } catch (error) {
    if (databaseFailure(error)?.constraint !== 'device_own_name') throw error
    const params = { field: 'name' }
    throw new AppError('record.duplicate', params, {
      cause: error,
      errors: [{ path: 'name', code: 'record.duplicate', message: 'Taken already', params }],
    })
  }
}
