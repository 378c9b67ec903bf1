import { sql } from 'drizzle-orm'
import type { Deps } from '../../kit/deps.ts'

/** Uploaded rows may hold passwords, so they are kept no longer than somebody may want to look at them again. */
const KEPT = '7 days'

/** Clears away old imports with their rows; the records they made stay. */
export async function clearOld({ db }: Pick<Deps, 'db'>): Promise<void> {
  await db.execute(
    sql`delete from import where created_at < now() - ${KEPT}::interval and state <> 'running'`,
  )
}
