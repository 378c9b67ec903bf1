import { getTableName, sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { TRASH_DAYS } from '@weft/contract/trash/schema'
import type { Deps } from '../../kit/deps.ts'

const BATCH = 1000

const unheld = (kind: string, table: string) =>
  sql`not exists (select 1 from resource_lease l where l.kind = ${kind} and l.resource_id = ${sql.identifier(table)}.id)`

/** What keeps its owner in the trash for as long as it is there. */
const BELONGINGS = [
  'account',
  'phone',
  'profile',
  'proxy',
  'video',
  'workflow',
  'project',
  'campaign',
  'client',
  'file',
  'sso_provider',
]
const ownsNothing = sql.join(
  BELONGINGS.map(
    (table) => sql`not exists (select 1 from ${sql.identifier(table)} t where t.owner_id = app_user.id)`,
  ),
  sql` and `,
)

/** What may go, in the order in which one leads to another; what runs and campaigns still speak of stays. */
const TABLES: readonly { table: string; free: SQL }[] = [
  { table: 'account', free: unheld('account', 'account') },
  { table: 'phone', free: unheld('phone', 'phone') },
  { table: 'profile', free: unheld('profile', 'profile') },
  { table: 'proxy', free: unheld('proxy', 'proxy') },
  { table: 'video', free: unheld('video', 'video') },
  {
    table: 'workflow',
    free: sql`not exists (select 1 from workflow_release r where r.workflow_id = workflow.id)
      and not exists (select 1 from campaign c where c.workflow_id = workflow.id)`,
  },
  {
    table: 'project',
    free: sql`not exists (select 1 from workflow w where w.project_id = project.id)
      and not exists (select 1 from campaign c where c.project_id = project.id)`,
  },
  { table: 'role', free: sql`not exists (select 1 from user_role ur where ur.role_id = role.id)` },
  {
    table: 'app_user',
    free: sql`not exists (select 1 from app_user below where below.parent_id = app_user.id) and ${ownsNothing}`,
  },
]

/** Of which rows of a table it holds that they go for good by themselves; undefined where none do. */
export function freeIn(of: PgTable): SQL | undefined {
  return TABLES.find(({ table }) => table === getTableName(of))?.free
}

/** Deletes for good what has been in the trash for 30 days, a thousand records at a time. */
export async function emptyTrash({ db }: Pick<Deps, 'db'>): Promise<void> {
  for (const { table, free } of TABLES) {
    const name = sql.identifier(table)
    for (let deleted = BATCH; deleted === BATCH;) {
      const result = await db.execute(sql`
        delete from ${name} where id in (select id from ${name}
          where deleted_at < now() - make_interval(days => ${TRASH_DAYS}) and ${free} limit ${BATCH})`)
      deleted = result.rowCount ?? 0
    }
  }
}
