import { and, eq, isNull, sql } from 'drizzle-orm'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { defineApi } from '@weft/contract/core/endpoint'
import { listQuery, queryInt } from '@weft/contract/core/list'
import { id, idInput, timestamp, version } from '@weft/contract/core/record'
import type { Db } from '../db/connection.ts'
import { stream, withMessage } from '../kit/answers.ts'
import { AppError } from '../kit/app-error.ts'
import type { CallContext, Tx } from '../kit/context.ts'
import type { Feature } from '../kit/feature.ts'
import { implement, prepared } from '../kit/implement.ts'
import { defineJob } from '../kit/jobs.ts'
import { listOf } from '../kit/list.ts'
import {
  findRecord,
  iso,
  madeBy,
  newId,
  recordColumns,
  restoreRecords,
  trashRecords,
  updateRecord,
} from '../kit/record.ts'

/** A feature as small as one can be, on which the kit's tests stand. */
export const note = pgTable('note', { ...recordColumns(), title: text().notNull() })
type NoteRow = typeof note.$inferSelect

export const noteJob = defineJob('note.count', z.object({ id: z.uuid() }), {
  retryLimit: 5,
  retryDelaySeconds: 1,
})

/** Makes the table, which no migration has. */
export async function makeNoteTable(db: Db): Promise<void> {
  await db.execute(sql`create table note (
    id uuid primary key, owner_id uuid, created_at timestamptz(3) not null default now(), created_by uuid,
    updated_at timestamptz(3) not null default now(), version integer not null default 1,
    tags text[] not null default '{}', notes text not null default '', deleted_at timestamptz(3),
    title text not null unique)`)
}

const noteSchema = z.object({
  id,
  title: z.string(),
  ownerId: id.nullable(),
  version: z.number(),
  createdAt: timestamp,
})
const view = { action: 'VIEW', subject: 'PROJECT' } as const
const update = { action: 'UPDATE', subject: 'PROJECT' } as const

/** The calls of the notes. */
export const notes = defineApi('notes', {
  list: {
    method: 'GET',
    path: '/api-test/note/list',
    access: view,
    summary: 'List notes',
    input: listQuery({ sortable: ['title', 'createdAt'], filters: {} }),
    list: noteSchema,
  },
  get: {
    method: 'GET',
    path: '/api-test/note/get/{id}',
    access: view,
    summary: 'One note',
    input: idInput,
    data: noteSchema,
  },
  create: {
    method: 'POST',
    path: '/api-test/note/create',
    access: { action: 'CREATE', subject: 'PROJECT' },
    summary: 'Create a note',
    input: z.strictObject({ title: z.string().trim().min(1).max(50), failAfter: z.boolean().optional() }),
    data: noteSchema,
    audit: 'note.create',
  },
  update: {
    method: 'POST',
    path: '/api-test/note/update',
    access: update,
    summary: 'Change a note',
    input: z.strictObject({ id, version, title: z.string(), password: z.string().optional() }),
    data: noteSchema,
    audit: 'note.update',
  },
  remove: {
    method: 'POST',
    path: '/api-test/note/delete/{id}',
    access: { action: 'DELETE', subject: 'PROJECT' },
    summary: 'Trash a note',
    input: idInput,
    audit: 'note.delete',
  },
  restore: {
    method: 'POST',
    path: '/api-test/note/restore/{id}',
    access: { action: 'DELETE', subject: 'PROJECT' },
    summary: 'Restore a note',
    input: idInput,
    data: noteSchema,
    audit: 'note.restore',
  },
  upload: {
    method: 'PUT',
    path: '/api-test/note/upload',
    access: update,
    summary: 'Send bytes',
    input: z.strictObject({ offset: queryInt(z.int().min(0)).default(0) }),
    rawBody: { maxBytes: 1024 * 1024 },
    data: z.object({ size: z.number(), sha256: z.string() }),
  },
  lines: {
    method: 'GET',
    path: '/api-test/note/lines',
    access: view,
    summary: 'A stream',
    input: z.strictObject({ breakAt: queryInt(z.int()).optional() }),
    stream: ['text/plain'],
  },
  leak: {
    method: 'GET',
    path: '/api-test/note/leak',
    access: view,
    summary: 'Answers with too much',
    data: z.object({ shown: z.string() }),
  },
  broken: {
    method: 'GET',
    path: '/api-test/note/broken',
    access: view,
    summary: 'Breaks its promise',
    data: z.object({ n: z.number() }),
  },
  sleep: {
    method: 'POST',
    path: '/api-test/note/sleep',
    access: update,
    summary: 'Takes its time in a transaction',
    input: z.strictObject({ seconds: z.number().max(5) }),
    data: z.object({ runs: z.number() }),
  },
  prepared: {
    method: 'POST',
    path: '/api-test/note/prepared',
    access: update,
    summary: 'Works before its transaction',
    input: z.strictObject({ word: z.string() }),
    data: z.object({ said: z.string() }),
  },
})

const columns = { id: note.id, ownerId: note.ownerId }
const source = { table: note, subject: 'PROJECT', columns } as const
const present = (row: NoteRow) => ({
  id: row.id,
  title: row.title,
  ownerId: row.ownerId,
  version: row.version,
  createdAt: iso(row.createdAt),
})

/** What happened in jobs and effects, for tests to look at. */
export const seen = { jobs: [] as string[], effects: [] as string[], sleeps: 0 }

async function* lines(breakAt: number | undefined): AsyncGenerator<string> {
  for (let n = 0; n < 1_000; n++) {
    if (n === breakAt) throw new Error('the source broke')
    yield `line ${n}\n`
  }
}

export const notesFeature: Feature = {
  name: 'notes',
  mount(app) {
    const made = (ctx: CallContext, row: NoteRow, kind: 'created' | 'updated') => {
      ctx.event({ feature: 'projects', id: row.id, kind, ownerId: row.ownerId })
      return present(row)
    }
    app.deps.jobs.work(noteJob, async ({ payload }) => void seen.jobs.push(payload.id), { pollSeconds: 0.5 })
    implement(app, notes, {
      list: (ctx, input) =>
        listOf(ctx.tx, input, {
          rows: (tx: Tx) => tx.select().from(note).$dynamic(),
          table: note,
          id: note.id,
          where: [ctx.scope('VIEW', 'PROJECT', columns), isNull(note.deletedAt)],
          search: [note.title],
          sort: { title: note.title, createdAt: note.createdAt },
          defaultSort: { by: 'createdAt', desc: true },
          present: (rows) => rows.map(present),
        }),
      get: async (ctx, input) => present(await findRecord(ctx, source, input.id)),
      async create(ctx, input) {
        const row = { id: newId(), title: input.title, ...madeBy(ctx) }
        const [inserted] = await ctx.tx.insert(note).values(row).returning()
        if (!inserted || input.failAfter) throw new AppError('record.wrong_state', { state: 'failing' })
        ctx.audit({ feature: 'notes', recordId: row.id, after: inserted })
        await ctx.enqueue(noteJob, { id: row.id })
        ctx.afterCommit(() => void seen.effects.push(row.id))
        return withMessage(made(ctx, inserted, 'created'), 'Insert data successfully')
      },
      async update(ctx, input) {
        const before = await findRecord(ctx, source, input.id, 'UPDATE')
        const row = await updateRecord(ctx.tx, note, input, { title: input.title }, present)
        ctx.audit({ feature: 'notes', recordId: row.id, before: present(before), after: input })
        return made(ctx, row, 'updated')
      },
      async remove(ctx, input) {
        await findRecord(ctx, source, input.id, 'DELETE')
        await trashRecords(ctx.tx, note, eq(note.id, input.id))
      },
      async restore(ctx, input) {
        const row = await findRecord(ctx, source, input.id, 'DELETE', { trashed: true })
        await restoreRecords(ctx.tx, note, eq(note.id, row.id))
        return present(await findRecord(ctx, source, row.id))
      },
      upload: async ({ body }) => {
        let counted = 0
        for await (const chunk of body.stream()) counted += chunk.length
        return { size: counted, sha256: body.sha256 }
      },
      lines: async (_ctx, { breakAt }) =>
        stream({ contentType: 'text/plain; charset=utf-8', fileName: 'Zeilen é.txt', body: lines(breakAt) }),
      leak: async () => ({ shown: 'yes', passwordHash: 'no' }),
      broken: async () => ({ n: 'one' }) as unknown as { n: number },
      async sleep(ctx, { seconds }) {
        seen.sleeps += 1
        await ctx.tx.execute(sql`select pg_sleep(${seconds})`)
        return { runs: seen.sleeps }
      },
      prepared: prepared(
        notes.prepared,
        async ({ db, user }, { word }) => {
          await db.execute(sql`select 1`)
          return `${user.username} says ${word}`
        },
        async (_ctx, _input, said) => ({ said }),
      ),
    })
  },
  visible: {
    async projects({ tx, scope }, ids) {
      const rows = await tx
        .select({ id: note.id })
        .from(note)
        .where(and(sql`${note.id} in ${[...ids]}`, scope('VIEW', 'PROJECT', columns)))
      return new Set(rows.map((row) => row.id))
    },
  },
}
