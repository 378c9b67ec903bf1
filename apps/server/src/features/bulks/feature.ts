import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { bulks } from '@weft/contract/bulks/api'
import { applyBulk } from '../../kit/bulk/job.ts'
import { bulk } from '../../kit/bulk/table.ts'
import type { Deps } from '../../kit/deps.ts'
import type { Feature } from '../../kit/feature.ts'
import { implement } from '../../kit/implement.ts'
import { defineJob } from '../../kit/jobs.ts'
import { bulkHandlers, ownBulks } from './handlers.ts'
import { runBulk } from './run.ts'

/** How long a bulk can be taken back: as long as it is known how everything was before. */
const KEPT = '7 days'

const clearBulks = defineJob('bulks.clear', z.object({}))

/** What follows a bulk call: the work of large ones, what was refused, ending it, taking it back. */
export const bulksFeature: Feature = {
  name: 'bulks',
  mount(app) {
    const { deps } = app
    implement(app, bulks, bulkHandlers(deps))
    deps.jobs.work(applyBulk, (job) => runBulk(deps, job.payload.bulkId, job.signal))
    deps.jobs.work(clearBulks, () => clearOld(deps))
    deps.jobs.schedule(clearBulks, '27 3 * * *', {})
  },
  visible: { bulks: (who, ids) => ownBulks(who, ids) },
  async start(deps) {
    await resumeBulks(deps)
    return async () => {}
  },
}

/** Clears away old bulks with what they remember, but for one that is just being taken back; the changes they made stay. */
export async function clearOld({ db }: Pick<Deps, 'db'>): Promise<void> {
  await db.execute(sql`
    delete from bulk b where b.created_at < now() - ${KEPT}::interval and b.state <> 'running'
      and not exists (select 1 from bulk u where u.undoes = b.id and u.state = 'running')`)
}

/** Takes up those that were under way when the program ended; one that goes on elsewhere is not disturbed. */
async function resumeBulks({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): Promise<void> {
  await db.transaction(async (tx) => {
    const open = await tx.select({ id: bulk.id }).from(bulk).where(eq(bulk.state, 'running'))
    for (const { id } of open) await jobs.enqueue(tx, applyBulk, { bulkId: id })
  })
}
