import { sql } from 'drizzle-orm'
import type { Tx } from '../../kit/context.ts'
import { notify } from '../notifications/notify.ts'

/** Tells somebody that they signed in with a browser that none of their sessions of the last weeks came from. */
export async function tellNewDevice(
  tx: Tx,
  { userId, userAgent, address }: { userId: string; userAgent: string; address: string },
): Promise<void> {
  const device = userAgent.slice(0, 400)
  const { rows } = await tx.execute<{ any: boolean; same: boolean }>(sql`
    select exists (select 1 from session where user_id = ${userId}) as any,
      exists (select 1 from session where user_id = ${userId} and user_agent = ${device}) as same`)
  const before = rows[0]
  // The first sign-in of all is no news to who made it.
  if (!before?.any || before.same) return
  await notify(tx, userId, {
    kind: 'signIn.newDevice',
    params: { device: device.slice(0, 200), address },
    about: { feature: 'sessions', id: userId },
    group: `${device} ${address}`.slice(0, 300),
  })
}
