import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Feature } from '../../kit/feature.ts'
import { defineJob } from '../../kit/jobs.ts'

/** Puts together what changes added to the kept counts of records. */
const gatherCounts = defineJob('counts.gather', z.object({}), { policy: 'short' })

/** Keeps the counts of records short, from which lists know their totals. */
export const countsFeature: Feature = {
  name: 'counts',
  mount({ deps }) {
    deps.jobs.work(gatherCounts, async () => {
      await deps.db.execute(sql`select gather_record_counts()`)
    })
    deps.jobs.schedule(gatherCounts, '* * * * *', {})
  },
}
