import { and, eq, ne, or } from 'drizzle-orm'
import { AppError } from '../../kit/app-error.ts'
import type { Tx } from '../../kit/context.ts'
import { nameKey } from './first-administrator.ts'
import { appUser } from './table.ts'

/**
 * Refuses a name that is somebody else's address, or an address that is somebody else's name: both sign in, so that two
 * people would be one. Names among names and addresses among addresses are kept apart by the database itself. The caller
 * holds `oneAtATime`.
 */
export async function refuseNamesakes(
  tx: Tx,
  person: { id: string; username?: string | undefined; email?: string | null | undefined },
): Promise<void> {
  const { username, email } = person
  const crossed = [
    username === undefined ? undefined : eq(appUser.emailKey, nameKey(username)),
    typeof email === 'string' ? eq(appUser.usernameKey, nameKey(email)) : undefined,
  ].filter((one) => one !== undefined)
  if (crossed.length === 0) return
  const [other] = await tx
    .select({ emailKey: appUser.emailKey })
    .from(appUser)
    .where(and(ne(appUser.id, person.id), or(...crossed)))
    .limit(1)
  if (!other) return
  const field = username !== undefined && other.emailKey === nameKey(username) ? 'username' : 'email'
  const message = `There is one with this ${field} already.`
  const errors = [{ path: field, code: 'record.duplicate', message, params: { field } }]
  throw new AppError('record.duplicate', { field }, { errors })
}
