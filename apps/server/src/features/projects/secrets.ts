import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { projects } from '@weft/contract/projects/api'
import { MAX_SECRETS, type projectSecretSchema } from '@weft/contract/projects/values'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext, Tx } from '../../kit/context.ts'
import type { Implementation } from '../../kit/implement.ts'
import { findRecord, newId } from '../../kit/record.ts'
import { sourceOf } from '../../kit/resource/definition.ts'
import { secretPlace } from '../../kit/resource/secrets.ts'
import type { Secrets } from '../../kit/secrets.ts'
import { namesOf } from './names.ts'
import { requireOpen } from './open.ts'
import { projectRecord } from './record.ts'
import { projectSecret } from './table.ts'

type Own = Pick<Implementation<typeof projects>, 'names' | 'secrets' | 'setSecret' | 'removeSecret'>

/** A project's secrets: written, named, deleted; no call gives a value back. */
export function secretHandlers(secrets: Secrets): Own {
  const source = sourceOf(projectRecord)
  const told = (ctx: CallContext, project: { id: string; ownerId: string | null }, change: object) => {
    ctx.audit({ feature: 'projects', recordId: project.id, ...change })
    ctx.event({ feature: 'projects', id: project.id, kind: 'updated', ownerId: project.ownerId })
  }
  return {
    async names(ctx, { id }) {
      await findRecord(ctx, source, id)
      return namesOf(ctx.tx, id)
    },

    async secrets(ctx, { id }) {
      await findRecord(ctx, source, id)
      return listSecrets(ctx.tx, id)
    },

    async setSecret(ctx, { id, name, value, description }) {
      const project = await findRecord(ctx, source, id, 'UPDATE', { lock: true })
      requireOpen(project)
      const [before] = await ctx.tx
        .select({ id: projectSecret.id })
        .from(projectSecret)
        .where(and(eq(projectSecret.projectId, id), eq(projectSecret.name, name)))
      if (!before && value === undefined) throw new AppError('record.not_found')
      const secretId = before?.id ?? newId()
      const set = {
        ...(value === undefined
          ? {}
          : { value: secrets.seal(value, secretPlace(projectSecret, 'value', secretId)) }),
        ...(description === undefined ? {} : { description }),
        updatedAt: sql`now()`,
        updatedBy: ctx.user.id,
      }
      if (before) await ctx.tx.update(projectSecret).set(set).where(eq(projectSecret.id, secretId))
      else {
        if ((await ctx.tx.$count(projectSecret, eq(projectSecret.projectId, id))) >= MAX_SECRETS)
          throw new AppError('project.too_many', { max: MAX_SECRETS })
        await ctx.tx
          .insert(projectSecret)
          .values({ ...set, id: secretId, projectId: id, name, value: set.value ?? '' })
      }
      told(ctx, project, { after: { name, value: { set: true, changed: value !== undefined }, description } })
      return listSecrets(ctx.tx, id)
    },

    async removeSecret(ctx, { id, name }) {
      const project = await findRecord(ctx, source, id, 'UPDATE', { lock: true })
      requireOpen(project)
      const gone = await ctx.tx
        .delete(projectSecret)
        .where(and(eq(projectSecret.projectId, id), eq(projectSecret.name, name)))
        .returning({ id: projectSecret.id })
      if (gone.length === 0) throw new AppError('record.not_found')
      told(ctx, project, { before: { name, value: { set: true } }, after: { name, value: { set: false } } })
      return listSecrets(ctx.tx, id)
    },
  }
}

async function listSecrets(tx: Tx, projectId: string): Promise<z.input<typeof projectSecretSchema>[]> {
  const rows = await tx
    .select({
      name: projectSecret.name,
      description: projectSecret.description,
      updatedAt: projectSecret.updatedAt,
      updatedByName: sql<
        string | null
      >`(select u.display_name from app_user u where u.id = ${projectSecret.updatedBy})`,
    })
    .from(projectSecret)
    .where(eq(projectSecret.projectId, projectId))
    .orderBy(projectSecret.name)
  return rows.map((row) => ({ ...row, updatedAt: row.updatedAt.toISOString() }))
}
