import { eq, sql } from 'drizzle-orm'
import type { system } from '@weft/contract/system/api'
import { SYSTEM_RUNNING, type Maintenance } from '@weft/contract/system/schema'
import { AppError, fieldError } from '../../kit/app-error.ts'
import type { CallContext, Tx, Work } from '../../kit/context.ts'
import type { Deps } from '../../kit/deps.ts'
import type { Implementation } from '../../kit/implement.ts'
import { systemActor, transact } from '../../kit/work.ts'
import { notifyEveryone, takeBack } from '../notifications/notify.ts'
import { tellChanges } from './setting-calls.ts'
import { changeSetting, isDraining, readSettings } from './settings.ts'
import { setting } from './table.ts'

type Calls = 'maintenance' | 'beginMaintenance' | 'cancelMaintenance' | 'endMaintenance'
const ANNOUNCED = { kind: 'maintenance.announced', group: 'plan' } as const
const PARTS = [
  { key: 'systemStatus' },
  { key: 'maintenanceNote' },
  { key: 'maintenanceUntil' },
  { key: 'maintenancePlan' },
] as const

/** Read-only and maintenance: now, at a time, given up, ended. */
export function maintenanceHandlers({
  now,
  system: held,
}: Pick<Deps, 'now' | 'system'>): Pick<Implementation<typeof system>, Calls> {
  const look = async (tx: Tx): Promise<Maintenance> => {
    const { systemStatus, maintenanceNote, maintenanceUntil, maintenancePlan } = await readSettings(tx)
    return {
      status: systemStatus,
      note: maintenanceNote,
      until: maintenanceUntil,
      planned: maintenancePlan,
      takesNewRuns: systemStatus === SYSTEM_RUNNING && !isDraining(maintenancePlan, now()),
      runsUnderWay: await runsUnderWay(tx),
    }
  }
  /** Makes a change one after the other with all others, audits and tells it. */
  const change = async (ctx: CallContext, how: () => Promise<void>) => {
    await lockPlan(ctx.tx)
    const before = await readSettings(ctx.tx)
    await how()
    ctx.afterCommit(() => held.forget())
    tellChanges(ctx, before, await readSettings(ctx.tx), PARTS)
    return look(ctx.tx)
  }

  return {
    maintenance: (ctx) => look(ctx.tx),

    beginMaintenance: (ctx, { status, at, drainFrom, note, until }) =>
      change(ctx, async () => {
        const { tx, user } = ctx
        checkTimes({ at, drainFrom, until }, now())
        await changeSetting(tx, 'maintenanceNote', note, user.id)
        await changeSetting(tx, 'maintenanceUntil', until, user.id)
        if (at === null) {
          await changeSetting(tx, 'maintenancePlan', null, user.id)
          await changeSetting(tx, 'systemStatus', status, user.id)
          return
        }
        const plan = { at, drainFrom: drainFrom ?? now().toISOString(), status }
        await changeSetting(tx, 'maintenancePlan', plan, user.id)
        await notifyEveryone(tx, { ...ANNOUNCED, params: { at } })
      }),

    cancelMaintenance: (ctx) =>
      change(ctx, async () => {
        const { maintenancePlan, systemStatus } = await readSettings(ctx.tx)
        if (!maintenancePlan) throw new AppError('system.not_planned')
        await changeSetting(ctx.tx, 'maintenancePlan', null, ctx.user.id)
        await takeBack(ctx.tx, ANNOUNCED)
        if (systemStatus === SYSTEM_RUNNING) await forgetWords(ctx.tx, ctx.user.id)
      }),

    endMaintenance: (ctx) =>
      change(ctx, async () => {
        await changeSetting(ctx.tx, 'systemStatus', SYSTEM_RUNNING, ctx.user.id)
        await changeSetting(ctx.tx, 'maintenancePlan', null, ctx.user.id)
        await forgetWords(ctx.tx, ctx.user.id)
      }),
  }
}

interface Times {
  at: string | null
  drainFrom: string | null
  until: string | null
}

/** New runs stop, then it begins, then it ends: in this order, and not in the past. */
function checkTimes({ at, drainFrom, until }: Times, now: Date): void {
  const begins = at === null ? now.getTime() : Date.parse(at)
  if (begins < now.getTime()) throw fieldError('at', 'system.in_past', 'This time has passed')
  if (drainFrom !== null && Date.parse(drainFrom) > begins)
    throw fieldError('drainFrom', 'system.drain_after_start', 'New runs must stop before it begins')
  if (until !== null && Date.parse(until) <= begins)
    throw fieldError('until', 'system.until_before_start', 'It must end after it begins')
}

async function forgetWords(tx: Tx, by: string): Promise<void> {
  await changeSetting(tx, 'maintenanceNote', null, by)
  await changeSetting(tx, 'maintenanceUntil', null, by)
}

async function runsUnderWay(tx: Tx): Promise<number> {
  const { rows } = await tx.execute<{ n: number }>(sql`
    select count(*)::int as n from run where cycle in ('leased', 'running', 'waiting')`)
  return rows[0]?.n ?? 0
}

const lockPlan = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('settings'))`)

const LOOK_MS = 500

/**
 * Begins planned maintenance when its time has come. Every process that schedules looks; the plan is in the database, so
 * a restart forgets nothing, and the one that comes first takes it off under a lock.
 */
export function beginWhenPlanned(deps: Deps): () => Promise<void> {
  let working: Promise<void> | undefined
  const look = async () => {
    const { maintenancePlan } = await deps.system.all()
    if (!isDue(maintenancePlan, deps.now())) return
    await transact(deps, systemActor('maintenance'), (work) => beginPlanned(work, deps.now()))
  }
  const timer = setInterval(() => {
    working ??= look()
      .catch((error: unknown) => deps.log.warn({ err: error }, 'planned maintenance could not be looked at'))
      .finally(() => {
        working = undefined
      })
  }, LOOK_MS)
  return async () => {
    clearInterval(timer)
    await working
  }
}

const isDue = (plan: { at: string } | null, now: Date) =>
  plan !== null && Date.parse(plan.at) <= now.getTime()

async function beginPlanned(work: Work, now: Date): Promise<void> {
  const { tx } = work
  await lockPlan(tx)
  const before = await readSettings(tx)
  const { maintenancePlan: plan } = before
  if (!plan || !isDue(plan, now)) return
  // Who planned it is who began it.
  const [row] = await tx
    .select({ by: setting.updatedBy })
    .from(setting)
    .where(eq(setting.key, 'maintenancePlan'))
  const by = row?.by ?? null
  await changeSetting(tx, 'systemStatus', plan.status, by)
  await changeSetting(tx, 'maintenancePlan', null, by)
  const audit: Work['audit'] = (entry) => work.audit({ ...entry, label: 'maintenance.begin' })
  tellChanges({ ...work, audit }, before, await readSettings(tx), PARTS)
}
