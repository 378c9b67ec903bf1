import { sql } from 'drizzle-orm'
import { AppError } from '../../../kit/app-error.ts'
import type { Tx } from '../../../kit/context.ts'
import { readSettings } from '../../system/settings.ts'

/** Whether an administrator has signed in with a provider that is enabled: without passwords they still come in. */
export async function administratorsHaveSso(tx: Tx): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select 1 from sso_identity i
    join sso_provider p on p.id = i.provider_id and p.enabled and p.deleted_at is null
    join app_user u on u.id = i.user_id and u.status = 'active' and u.deleted_at is null
    join user_role ur on ur.user_id = u.id
    join role r on r.id = ur.role_id and r.key = 'administrator'
    limit 1`)
  return rows.length > 0
}

/** Whether people may sign in with a password: turned off it stays on as long as nobody else could turn it on again. */
export async function passwordsAllowed(tx: Tx, localSignIn: boolean): Promise<boolean> {
  return localSignIn || !(await administratorsHaveSso(tx))
}

/** Refuses a change of providers after which, with passwords turned off, no administrator could come in. */
export async function keepWayIn(tx: Tx): Promise<void> {
  const { localSignIn } = await readSettings(tx)
  if (!localSignIn && !(await administratorsHaveSso(tx))) throw new AppError('system.would_lock_out')
}
