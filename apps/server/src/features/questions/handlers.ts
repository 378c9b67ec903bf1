import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { questions } from '@weft/contract/questions/api'
import { QUESTION_STATES, type Asked } from '@weft/contract/questions/schema'
import { answersSchema, questionSchema } from '@weft/workflow/question'
import { momentOrNull } from '../../kit/moment.ts'
import { AppError } from '../../kit/app-error.ts'
import { stream } from '../../kit/answers.ts'
import type { CallContext } from '../../kit/context.ts'
import type { FileStore } from '../../kit/file-store.ts'
import type { Implementation } from '../../kit/implement.ts'
import { listOf } from '../../kit/list.ts'
import { anyOf } from '../../kit/recordset.ts'
import type { Tx } from '../../db/connection.ts'
import type { Engine } from '../../engine/engine.ts'
import { runHold } from '../runs/hold-table.ts'
import { run } from '../runs/table.ts'
import { mayAnswer, QUESTION_STATE } from './rules.ts'

const viewRow = z.object({
  id: z.string(),
  question: questionSchema,
  state: z.enum(QUESTION_STATES),
  campaign_id: z.string().nullable(),
  campaign: z.string().nullable(),
  workflow: z.string().nullable(),
  account: z.string().nullable(),
  seq: z.number().nullable(),
  run_id: z.string(),
  owner_id: z.string().nullable(),
  step_name: z.string().nullable(),
  created_at: momentOrNull,
  due_at: momentOrNull,
  ended_at: momentOrNull,
  answers: z.record(z.string(), z.unknown()).nullable(),
  by: z.string().nullable(),
  picture: z.string().nullable(),
})
type View = z.infer<typeof viewRow>

async function views(tx: Tx, ids: readonly string[]): Promise<View[]> {
  if (ids.length === 0) return []
  const { rows } = await tx.execute(sql`
    select ${runHold.id} as id, ${runHold.question} as question, ${QUESTION_STATE} as state, r.campaign_id, c.title as campaign,
      w.name as workflow, a.username as account, item.seq, r.id as run_id, r.owner_id, ${runHold.stepName} as step_name,
      ${runHold.createdAt} as created_at, ${runHold.dueAt} as due_at, ${runHold.endedAt} as ended_at, ${runHold.answers} as answers,
      u.display_name as by,
      (select f.id from run_file f where f.run_id = r.id and f.kind = 'screenshot' and f.path = ${runHold.path}
        order by f.seq desc limit 1) as picture
    from run_hold join run r on r.id = ${runHold.runId} left join campaign c on c.id = r.campaign_id
    left join workflow w on w.id = r.workflow_id left join account a on a.id = r.account_id
    left join campaign_item item on item.id = r.item_id left join app_user u on u.id = ${runHold.answeredBy}
    where ${runHold.id} = ${anyOf(ids)}`)
  const found = new Map(
    rows.map((raw) => {
      const row = viewRow.parse(raw)
      return [row.id, row]
    }),
  )
  return ids.flatMap((id) => found.get(id) ?? [])
}

function present(row: View): Asked {
  const { title, text, fields } = row.question
  return {
    id: row.id,
    title,
    text,
    fields,
    state: row.state,
    campaignId: row.campaign_id,
    campaignTitle: row.campaign,
    workflowName: row.workflow ?? '',
    accountName: row.account,
    itemSeq: row.seq,
    runId: row.run_id,
    stepName: row.step_name,
    since: row.created_at ?? '',
    dueAt: row.due_at ?? '',
    endedAt: row.ended_at,
    answers: row.answers,
    answeredByName: row.by,
    pictureId: row.picture,
    can: row.state === 'open' ? ['answer'] : [],
  }
}

/** A question that this person may answer, or might have. */
async function findQuestion(ctx: CallContext, id: string): Promise<View> {
  const [visible] = await ctx.tx
    .select({ id: runHold.id })
    .from(runHold)
    .innerJoin(run, eq(run.id, runHold.runId))
    .where(and(eq(runHold.id, id), eq(runHold.kind, 'question'), mayAnswer(ctx)))
  const [row] = visible ? await views(ctx.tx, [id]) : []
  if (!row) throw new AppError('record.not_found')
  return row
}

/** What runs ask people: the questions that somebody may answer, and the answering. */
export function questionHandlers(engine: Engine, files: FileStore): Implementation<typeof questions> {
  return {
    list: (ctx, { state, campaignId, runId, ...input }) =>
      listOf(ctx.tx, input, {
        rows: (tx) =>
          tx.select({ id: runHold.id }).from(runHold).innerJoin(run, eq(run.id, runHold.runId)).$dynamic(),
        keys: (tx) =>
          tx.select({ id: runHold.id }).from(runHold).innerJoin(run, eq(run.id, runHold.runId)).$dynamic(),
        table: runHold,
        id: runHold.id,
        where: [
          eq(runHold.kind, 'question'),
          mayAnswer(ctx),
          state?.length ? sql`${QUESTION_STATE} = any(${sql.param([...state])}::text[])` : undefined,
          campaignId ? eq(run.campaignId, campaignId) : undefined,
          runId ? eq(run.id, runId) : undefined,
        ],
        sort: { since: runHold.createdAt, dueAt: runHold.dueAt },
        defaultSort: { by: 'since', desc: true },
        present: async (rows, tx) =>
          (
            await views(
              tx,
              rows.map(({ id }) => id),
            )
          ).map(present),
      }),

    get: async (ctx, { id }) => present(await findQuestion(ctx, id)),

    async answer(ctx, { id, answers: given }) {
      const row = await findQuestion(ctx, id)
      // Of two at once the second waits here, and is told.
      await ctx.tx.execute(sql`select 1 from run_hold where id = ${id} for update`)
      const { state } = (await views(ctx.tx, [id]))[0] ?? row
      if (state !== 'open') throw new AppError('run.wrong_state', { state })
      const parsed = answersSchema(row.question.fields).safeParse(given)
      if (!parsed.success)
        throw new AppError(
          'request.invalid',
          {},
          {
            errors: parsed.error.issues.map(({ path, code, message }) => ({
              path: ['answers', ...path].join('.'),
              code: code === 'invalid_type' ? 'required' : code,
              message,
            })),
          },
        )
      const answers = parsed.data
      await ctx.tx.execute(sql`
        update run_hold set ending = 'answered', ended_at = now(), answered_by = ${ctx.user.id},
          answers = ${JSON.stringify(answers)}::jsonb where id = ${id}`)
      await ctx.tx.execute(
        sql`update campaign_item set ready_at = null where hold_id = ${id} and state = 'ready'`,
      )
      ctx.audit({ feature: 'runs', recordId: row.run_id, after: { question: row.question.title, answers } })
      ctx.event({
        feature: 'runs',
        id: row.run_id,
        kind: 'updated',
        parentId: row.campaign_id,
        ownerId: row.owner_id,
      })
      ctx.afterCommit(() => {
        if (row.campaign_id) engine.look(row.campaign_id)
        engine.wake(null)
      })
      return present(await findQuestion(ctx, id))
    },

    async picture(ctx, { id }) {
      const { picture } = await findQuestion(ctx, id)
      const { rows } = await ctx.tx.execute(
        sql`select sha256, size, content_type from run_file where id = ${picture}::uuid`,
      )
      const found = z
        .object({ sha256: z.string(), size: z.coerce.number(), content_type: z.string() })
        .safeParse(rows[0])
      const body = found.success ? await files.read(found.data.sha256) : undefined
      if (!found.success || !body) throw new AppError('record.not_found')
      return stream({ contentType: found.data.content_type, length: found.data.size, body })
    },
  }
}
