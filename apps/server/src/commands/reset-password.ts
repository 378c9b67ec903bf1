import { and, eq, isNull, or } from 'drizzle-orm'
import { pino } from 'pino'
import { openPool } from '../db/connection.ts'
import { gateOf } from '../db/gate.ts'
import { nameKey } from '../features/access/first-administrator.ts'
import { LINK_MINUTES, resetUrl } from '../features/access/recovery/forgotten.ts'
import { makeLink } from '../features/access/recovery/links.ts'
import { appUser } from '../features/access/table.ts'
import { systemActor, transact } from '../kit/work.ts'
import { jobQueue } from '../plugins/boss.ts'
import { StartError, type Settings } from '../settings.ts'
import { withDatabase } from './with-database.ts'

/** Who stands in the audit log for what is done on the machine itself. */
const SHELL = systemActor('command line')

/**
 * `reset-password NAME`: prints a one-time link with which a person sets a new password, for when nobody can sign in who
 * could hand one out. Works beside a running server as well as without one.
 */
export async function resetPassword(settings: Settings, names: readonly string[]): Promise<void> {
  const [name, ...more] = names
  if (name === undefined || more.length > 0) throw new StartError('Usage: npm start -- reset-password NAME')
  await withDatabase(settings, async (address) => {
    const { pool, db } = openPool(address, { max: 2, onBroken: () => {} })
    try {
      const log = pino({ level: 'silent' })
      const jobs = jobQueue({ pool, log, roles: new Set() })
      const live = { wake() {}, progress() {}, runLog() {}, testRun() {} }
      const { username, token } = await transact(
        { db, gate: gateOf(pool), jobs, live, log },
        SHELL,
        async (work) => {
          const key = nameKey(name)
          const [user] = await work.tx
            .select()
            .from(appUser)
            .where(
              and(or(eq(appUser.usernameKey, key), eq(appUser.emailKey, key)), isNull(appUser.deletedAt)),
            )
          if (!user) throw new StartError(`There is nobody named ${name}.`)
          if (user.status !== 'active')
            throw new StartError(`${user.username} is suspended: no link is good until that is changed.`)
          const link = await makeLink(work.tx, {
            userId: user.id,
            purpose: 'resetPassword',
            by: null,
            now: new Date(),
            minutes: LINK_MINUTES,
          })
          const label = 'password.link_handed_out'
          work.audit({ feature: 'users', recordId: user.id, label, after: { expiresAt: link.expiresAt } })
          return { username: user.username, token: link.token }
        },
      )
      console.log(`A link for a new password of ${username}, good once and for ${LINK_MINUTES} minutes:`)
      console.log(resetUrl(settings.publicUrl, token))
    } finally {
      await pool.end()
    }
  })
}
