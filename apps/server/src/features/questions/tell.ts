import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { questionSchema, type Question } from '@weft/workflow/question'
import { decisionsFor } from '../../kit/access.ts'
import type { Tx } from '../../kit/context.ts'
import { loadUsers } from '../access/identities.ts'
import { notify } from '../notifications/notify.ts'

const BATCH = 50
/** More than these are not told of one question; they find it in the list. */
const MOST = 50

const askedRow = z.object({
  id: z.string(),
  question: questionSchema,
  campaign_id: z.string(),
  owner_id: z.string().nullable(),
  project_id: z.string().nullable(),
  title: z.string(),
})
type AskedRow = z.infer<typeof askedRow>

/**
 * Tells those who may answer of questions that nobody was told of yet. Who asks in a test run sees the question there and is
 * not told. A question is marked in the same transaction, so nobody is told twice, and none is forgotten by a restart.
 */
export async function tellQuestions(tx: Tx): Promise<void> {
  const { rows } = await tx.execute(sql`
    with fresh as (
      select id from run_hold where kind = 'question' and not told order by created_at limit ${BATCH} for update skip locked
    ), marked as (
      update run_hold h set told = true from fresh where h.id = fresh.id returning h.*
    )
    select m.id, m.question, r.campaign_id, c.owner_id, c.project_id, c.title from marked m
    join run r on r.id = m.run_id join campaign c on c.id = r.campaign_id
    where m.ending is null and m.due_at > now() order by m.created_at`)
  for (const asked of z.array(askedRow).parse(rows)) {
    const { id, question, title } = asked
    await notify(tx, await whoMayAnswer(tx, asked), {
      kind: 'question.asked',
      params: { question: question.title.slice(0, 200), campaign: title },
      about: { feature: 'questions', id },
    })
  }
}

/** Those whose rules let them answer, as `mayAnswer` decides it for one person who looks. */
async function whoMayAnswer(tx: Tx, asked: AskedRow): Promise<string[]> {
  const { rows } = await tx.execute(candidates(asked))
  const { campaign_id: id, owner_id: ownerId, project_id: projectId, question } = asked
  const action = question.who === 'runners' ? 'RUN' : 'VIEW'
  const people = await loadUsers(
    tx,
    rows.map((raw) => z.object({ id: z.string() }).parse(raw).id),
  )
  return [...people.values()]
    .filter((user) => decisionsFor(user.rules, user.id).can(action, 'CAMPAIGN', { id, ownerId, projectId }))
    .map((user) => user.id)
}

function candidates({ question, owner_id: owner, project_id: project }: AskedRow) {
  const { who, names } = question satisfies Question
  const given = sql`any(${sql.param([...names])}::text[])`
  const which = {
    people: sql`u.username = ${given}`,
    roles: sql`exists (select 1 from user_role ur join role o on o.id = ur.role_id and o.deleted_at is null
      where ur.user_id = u.id and o.name = ${given})`,
    runners: sql`(u.id = ${owner}::uuid or exists (select 1 from project_member m where m.user_id = u.id and m.project_id = ${project}::uuid)
      or exists (select 1 from user_role ur join role o on o.id = ur.role_id and o.deleted_at is null
        where ur.user_id = u.id and o.rules::text ~ 'CAMPAIGN|"all"'))`,
  }[who]
  return sql`select u.id from app_user u where u.status = 'active' and u.deleted_at is null and ${which}
    order by u.id = ${owner}::uuid desc nulls last, u.id limit ${MOST}`
}
