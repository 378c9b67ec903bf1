import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import { anyOf } from '../../kit/recordset.ts'
import { mayOfRun } from '../runs/rules.ts'
import { run } from '../runs/table.ts'

/** How many runs are named. */
const NAMED = 3

const row = z.object({ id: z.string(), name: z.string(), starter: z.string().nullable(), seen: z.boolean() })

/** The refusal where no slot is free: which runs hold them and who began those, as far as the person may see them. */
export async function busyWith(
  ctx: Pick<CallContext, 'tx' | 'scope' | 'user'>,
  clients: readonly { id: string }[],
): Promise<AppError> {
  const ids = clients.map(({ id }) => id)
  const { rows } = await ctx.tx.execute(sql`
    select ${run.id} as id, ${mayOfRun(ctx, 'VIEW')} as seen, u.display_name as starter,
      coalesce(c.title, w.name, a.username, p.name, '') as name
    from run left join campaign c on c.id = ${run.campaignId} left join test_run t on t.run_id = ${run.id}
    left join attended_run o on o.run_id = ${run.id} left join workflow w on w.id = coalesce(t.workflow_id, o.workflow_id)
    left join account a on a.id = ${run.accountId} left join profile p on p.id = o.profile_id
    left join app_user u on u.id = coalesce(t.started_by, o.opened_by, ${run.ownerId})
    where ${run.clientId} = ${anyOf(ids)} and ${run.finishedAt} is null
    order by ${run.queuedAt}, ${run.id}`)
  const all = rows.map((raw) => row.parse(raw))
  const named = all.filter(({ seen }) => seen).slice(0, NAMED)
  if (named.length === 0) return new AppError('attended.clients_busy')
  const words = named.map(({ name, starter }) => (starter === null ? name : `${name} (${starter})`))
  const others = all.length - named.length
  return new AppError(
    'attended.clients_busy_with',
    { runs: [...words, ...(others > 0 ? [`+${others}`] : [])].join(', ') },
    {
      errors: named.map(({ id }, index) => ({
        path: id,
        code: 'attended.clients_busy_with',
        message: words[index] ?? '',
      })),
    },
  )
}
