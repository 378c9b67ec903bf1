import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Deps } from '../../../kit/deps.ts'
import { defineJob } from '../../../kit/jobs.ts'
import { transact } from '../../../kit/work.ts'
import { isActive } from '../conditions.ts'
import { writeMail } from '../mail/outbox.ts'
import { appUser } from '../table.ts'
import { makeLink } from './links.ts'

/** How long a link for a new password is good. */
export const LINK_MINUTES = 30

/** Looks for the person behind an address and mails them a link. */
export const sendResetLink = defineJob(
  'recovery.link',
  z.object({ emailKey: z.string(), address: z.string(), requestId: z.string() }),
)

/** The page that a link leads to. The secret stands behind the #, which browsers send to nobody. */
export function resetUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/auth/reset-password#token=${token}`
}

/**
 * What asking for a link comes to. It is a job because the call itself must not know whether the address is known: so
 * its answer and its time are the same for all.
 */
export async function answerForgotten(
  deps: Deps,
  asked: { emailKey: string; address: string; requestId: string },
): Promise<void> {
  const actor = { id: null, name: '', address: asked.address, requestId: asked.requestId }
  const { siteName: site } = await deps.system.all()
  await transact(deps, actor, async (work) => {
    const [user] = await work.tx
      .select()
      .from(appUser)
      .where(and(eq(appUser.emailKey, asked.emailKey), isActive()))
    if (!user) return
    const { token } = await makeLink(work.tx, {
      userId: user.id,
      purpose: 'resetPassword',
      by: null,
      now: deps.now(),
      minutes: LINK_MINUTES,
    })
    const url = resetUrl(deps.settings.publicUrl, token)
    const params = { site, url, minutes: String(LINK_MINUTES) }
    await writeMail(work, deps.secrets, 'resetPassword', user, params)
    work.audit({ feature: 'users', recordId: user.id, label: 'password.link_asked', after: {} })
  })
}
