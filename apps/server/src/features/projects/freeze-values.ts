import { sql } from 'drizzle-orm'
import type { Tx } from '../../kit/context.ts'
import { anyOf } from '../../kit/recordset.ts'

/**
 * Keeps with each of these runs what the variables of its project are now, as it begins. A run that is told its job once
 * more keeps what it was told at first.
 */
export async function freezeProjects(tx: Tx, runIds: readonly string[]): Promise<void> {
  await tx.execute(sql`
    insert into run_project (run_id, project_id, name, variables)
    select r.id, p.id, p.name,
      (select jsonb_object_agg(v ->> 'name', v -> 'value') from jsonb_array_elements(p.variables) v)
    from run r join workflow w on w.id = r.workflow_id
    join project p on p.id = w.project_id and p.variables <> '[]' and p.deleted_at is null
    where r.id = ${anyOf(runIds)}
    on conflict (run_id) do nothing`)
}
