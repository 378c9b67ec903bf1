import { and, asc, eq, isNull } from 'drizzle-orm'
import { sso, SSO_PREFIX } from '@weft/contract/access/sso/api'
import type { SsoProvider } from '@weft/contract/access/sso/schema'
import { fieldError } from '../../../kit/app-error.ts'
import type { Tx } from '../../../kit/context.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Implementation } from '../../../kit/implement.ts'
import { findRecord, iso, madeBy, newId, updateRecord, type RecordSource } from '../../../kit/record.ts'
import { role } from '../table.ts'
import { ssoButtons } from './buttons.ts'
import { ssoProvider, type ProviderRow } from './table.ts'
import { keepWayIn } from './way-in.ts'

const SOURCE: RecordSource<typeof ssoProvider> = {
  table: ssoProvider,
  subject: 'SYSTEM',
  columns: { id: ssoProvider.id, ownerId: ssoProvider.ownerId, createdBy: ssoProvider.createdBy },
}

/** Where the secret of a provider is sealed for. */
export const secretPlace = (id: string) => ({ table: 'sso_provider', column: 'sealed_secret', row: id })

/** The address to which a provider sends people back. */
export function callbackUrl({ publicUrl }: { publicUrl: string }, key: string): string {
  return `${publicUrl}${SSO_PREFIX}/${key}/callback`
}

/** Providers as administrators keep them. */
export function ssoHandlers({
  secrets,
  settings,
}: Pick<Deps, 'secrets' | 'settings'>): Implementation<typeof sso> {
  const present = (row: ProviderRow): SsoProvider => ({
    id: row.id,
    version: row.version,
    key: row.key,
    name: row.name,
    issuer: row.issuer,
    appKey: row.appKey,
    appSecret: { set: row.sealedSecret !== null },
    scopes: row.scopes,
    signUp: row.signUp,
    roleKey: row.roleKey,
    enabled: row.enabled,
    callbackUrl: callbackUrl(settings, row.key),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  })
  const seal = (id: string, secret: string | null) => (secret ? secrets.seal(secret, secretPlace(id)) : null)

  return {
    async buttons(ctx) {
      const data = await ssoButtons(ctx.tx)
      return { data, totalPage: 1, totalRecord: data.length }
    },

    async list(ctx) {
      const rows = await ctx.tx
        .select()
        .from(ssoProvider)
        .where(and(isNull(ssoProvider.deletedAt), ctx.scope('MANAGE', 'SYSTEM', SOURCE.columns)))
        .orderBy(asc(ssoProvider.name), asc(ssoProvider.id))
      return { data: rows.map(present), totalPage: 1, totalRecord: rows.length }
    },

    get: async (ctx, { id }) => present(await findRecord(ctx, SOURCE, id, 'MANAGE')),

    async create(ctx, { appSecret = null, ...fields }) {
      await checkRole(ctx.tx, fields.roleKey)
      const id = newId()
      const [row] = await ctx.tx
        .insert(ssoProvider)
        .values({ id, ...madeBy(ctx), ...fields, sealedSecret: seal(id, appSecret) })
        .returning()
      if (!row) throw new Error('the provider was not stored')
      ctx.audit({ feature: 'sso', recordId: id, after: present(row) })
      ctx.event({ feature: 'system', id, kind: 'created' })
      return present(row)
    },

    async update(ctx, { id, version, appSecret, ...changes }) {
      const before = await findRecord(ctx, SOURCE, id, 'MANAGE')
      if (changes.roleKey !== undefined) await checkRole(ctx.tx, changes.roleKey)
      const secret = appSecret === undefined ? {} : { sealedSecret: seal(id, appSecret) }
      const row = await updateRecord(
        ctx.tx,
        ssoProvider,
        { id, version },
        { ...changes, ...secret },
        (current) => present(current),
      )
      await keepWayIn(ctx.tx)
      ctx.audit({ feature: 'sso', recordId: id, before: present(before), after: present(row) })
      ctx.event({ feature: 'system', id, kind: 'updated' })
      return present(row)
    },

    async remove(ctx, { id }) {
      const before = await findRecord(ctx, SOURCE, id, 'MANAGE')
      await ctx.tx.delete(ssoProvider).where(eq(ssoProvider.id, id))
      await keepWayIn(ctx.tx)
      ctx.audit({ feature: 'sso', recordId: id, before: present(before) })
      ctx.event({ feature: 'system', id, kind: 'deleted' })
    },
  }
}

async function checkRole(tx: Tx, key: string): Promise<void> {
  const [found] = await tx
    .select({ id: role.id })
    .from(role)
    .where(and(eq(role.key, key), isNull(role.deletedAt)))
  if (!found) throw fieldError('roleKey', 'link.not_found', 'There is no such role')
}
