import { and, asc, eq, isNull } from 'drizzle-orm'
import { SSO_PREFIX } from '@weft/contract/access/sso/api'
import type { SsoButton } from '@weft/contract/access/sso/schema'
import type { Tx } from '../../../kit/context.ts'
import { ssoProvider } from './table.ts'

/** The providers that a visitor may sign in with, in the order of their names. */
export async function ssoButtons(tx: Tx): Promise<SsoButton[]> {
  const rows = await tx
    .select({ key: ssoProvider.key, name: ssoProvider.name })
    .from(ssoProvider)
    .where(and(eq(ssoProvider.enabled, true), isNull(ssoProvider.deletedAt)))
    .orderBy(asc(ssoProvider.name), asc(ssoProvider.id))
  return rows.map((row) => ({ ...row, startUrl: `${SSO_PREFIX}/${row.key}/start` }))
}
