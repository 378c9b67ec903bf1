import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Api, Endpoint } from '@weft/contract/core/endpoint'
import { exportFormats } from '@weft/contract/core/resource'
import { stream } from './answers.ts'
import { changeMany } from './bulk/begin.ts'
import { previewMany } from './bulk/preview.ts'
import type { CallContext } from './context.ts'
import type { Deps } from './deps.ts'
import { implement, prepared, type Implementation } from './implement.ts'
import { receiveImport } from './import/receive.ts'
import { listOf, streamOf, type ListInput } from './list.ts'
import { findRecord } from './record.ts'
import { changeRecord, createRecord, purgeRecord, removeRecord, restoreRecord } from './resource/change.ts'
import {
  sourceOf,
  type CommonView,
  type ResourceDefinition,
  type ResourceTable,
} from './resource/definition.ts'
import { exportOf } from './resource/export.ts'
import { historyOf } from './resource/history.ts'
import { revertRecord } from './resource/revert.ts'
import { tagsOf } from './resource/tags.ts'
import { listSource, viewOf } from './resource/view.ts'

/** An api that begins with the calls of `resourceApi`. */
export interface ResourceApi extends Api {
  list: Endpoint & { input: z.ZodObject; list: z.ZodType }
  tags: Endpoint
  get: Endpoint & { data: z.ZodType }
  create: Endpoint & { input: z.ZodObject }
  update: Endpoint & { input: z.ZodObject }
  remove: Endpoint
  restore: Endpoint
  purge: Endpoint
  bulk: Endpoint
  bulkPreview: Endpoint
  history: Endpoint
  revert: Endpoint
  whereUsed: Endpoint
  export: Endpoint & { stream: readonly string[] }
  import: Endpoint
}

/** The calls that the kit answers for every resource. */
export type CommonCall =
  | 'list'
  | 'tags'
  | 'get'
  | 'create'
  | 'update'
  | 'remove'
  | 'restore'
  | 'purge'
  | 'bulk'
  | 'bulkPreview'
  | 'history'
  | 'revert'
  | 'whereUsed'
  | 'export'
  | 'import'

interface Mounted {
  definition: ResourceDefinition
  listInput: z.ZodObject
}
const mounted = new WeakMap<Deps, Map<string, Mounted>>()

/** The definition of a mounted resource, for work that concerns any of them. */
export function definitionOf(deps: Deps, feature: string): ResourceDefinition {
  return mountedOf(deps, feature).definition
}

/** The definition of a mounted resource with what its list may be asked for. */
export function mountedOf(deps: Deps, feature: string): Mounted {
  const found = mounted.get(deps)?.get(feature)
  if (!found) throw new Error(`${feature} is not a resource`)
  return found
}

/** Mounts a resource: the common calls by its definition, and the calls of its own. */
export function implementResource<
  A extends ResourceApi,
  T extends ResourceTable,
  V extends CommonView & z.input<A['get']['data']>,
  I extends object,
>(
  app: FastifyInstance,
  api: A,
  definition: ResourceDefinition<T, V, I>,
  own: Omit<Implementation<A>, CommonCall>,
): void {
  const known = mounted.get(app.deps) ?? new Map<string, Mounted>()
  mounted.set(app.deps, known.set(definition.feature, { definition, listInput: api.list.input }))
  const handlers = { ...resourceHandlers(app.deps, api, definition), ...own }
  implement(app, api, handlers as unknown as Implementation<A>)
}

const updateInput = z.looseObject({ id: z.string(), version: z.number() })

/** The common calls of a resource; a feature may put its own in place of one. */
export function resourceHandlers<T extends ResourceTable, V extends CommonView, I extends object>(
  deps: Deps,
  api: ResourceApi,
  definition: ResourceDefinition<T, V, I>,
) {
  const { secrets } = deps
  return {
    list: (ctx: CallContext, input: ListInput) =>
      listOf(ctx.tx, input, listSource(ctx, definition, { ...input })),

    tags: (ctx: CallContext, { q }: { q?: string | undefined }) => tagsOf(ctx, definition, q),

    async get(ctx: CallContext, { id }: { id: string }) {
      await findRecord(ctx, sourceOf(definition), id)
      return viewOf(ctx, definition, id)
    },

    create: (ctx: CallContext, input: I) => createRecord(ctx, secrets, definition, input),

    update(ctx: CallContext, input: object) {
      const { id, version, ...changes } = updateInput.parse(input)
      return changeRecord(ctx, secrets, definition, { id, version }, changes as Partial<I>)
    },

    remove: (ctx: CallContext, { id }: { id: string }) => removeRecord(ctx, definition, id),

    restore: (ctx: CallContext, { id }: { id: string }) => restoreRecord(ctx, definition, id),

    purge: (ctx: CallContext, { id }: { id: string }) => purgeRecord(ctx, definition, id),

    bulk: (ctx: CallContext, input: object) => changeMany(ctx, secrets, definition, api.list.input, input),
    bulkPreview: (ctx: CallContext, input: object) => previewMany(ctx, definition, api.list.input, input),

    history: (ctx: CallContext, input: ListInput & { id: string }) => historyOf(ctx, definition, input),

    revert: (ctx: CallContext, input: { id: string; version: number; entry: string }) =>
      revertRecord(ctx, secrets, definition, api.update.input, input),

    async whereUsed(ctx: CallContext, { id }: { id: string }) {
      await findRecord(ctx, sourceOf(definition), id)
      return definition.uses(ctx, id)
    },

    // The rows are read while they are sent, long after the transaction that writes the audit row.
    export: prepared(
      api.export,
      async (ctx) => ctx.db,
      async (ctx, input, db) => {
        const given: ListInput & { format?: unknown } = { page: 1, perPage: -1, ...input }
        const source = listSource(ctx, definition, { ...given }, { action: 'EXPORT' })
        const rows = streamOf(db, given, source)
        ctx.audit({ feature: definition.feature, recordId: null, after: given })
        const format = z.enum(exportFormats).catch('csv').parse(given.format)
        return stream(exportOf(format, definition.feature, definition.exported, rows))
      },
    ),

    import: (ctx: CallContext, input: object) => receiveImport(ctx, secrets, definition, input),
  }
}
