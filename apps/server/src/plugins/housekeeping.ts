import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql, type SQL } from 'drizzle-orm'
import { CLIENT_SAMPLE_DAYS } from '@weft/contract/clients/schema'
import type { SettingKey } from '@weft/contract/system/settings'
import { settingInSql } from '../features/system/settings.ts'
import { INCOMING } from '../kit/body.ts'
import type { Deps } from '../kit/deps.ts'

const EVERY_MS = 10 * 60_000
const FIRST_MS = 60_000
const UPLOAD_MS = 3_600_000

/** So many days as a setting says. */
const days = (key: SettingKey) => sql`make_interval(days => ${settingInSql(key)})`

/** What is cleared away, and when it is old enough. Records in the trash are each feature's own affair. */
const CHORES: readonly SQL[] = [
  sql`delete from access_token where expires_at < now()`,
  sql`delete from session where least(expires_at, ended_at) < now() - ${days('sessionRecordDays')}`,
  // A used-up token is kept as long as showing it again would be a theft to notice.
  sql`delete from refresh_token where replaced_at < now() - interval '1 day'`,
  sql`delete from sign_in_throttle where window_ends_at < now() and coalesce(blocked_until, now()) <= now()`,
  sql`delete from api_token where expires_at < now() - interval '30 days'`,
  sql`delete from sso_attempt where expires_at < now()`,
  sql`delete from sign_in_ticket where expires_at < now()`,
  sql`delete from passkey_challenge where expires_at < now()`,
  sql`delete from one_time_link where expires_at < now() - interval '7 days'`,
  sql`delete from mail where created_at < now() - ${days('mailDays')}`,
  // A link in a mail that nobody could send is long dead.
  sql`update mail set sealed_text = null where sealed_text is not null and created_at < now() - interval '7 days'`,
  sql`delete from notification where at < now() - ${days('notificationDays')}`,
  sql`delete from session_view where ends_at < now() - interval '1 day'`,
  sql`delete from client_sample where at < now() - make_interval(days => ${CLIENT_SAMPLE_DAYS})`,
  sql`delete from idempotency where created_at < now() - interval '24 hours'`,
  sql`delete from attended_frame f where not exists (
    select 1 from run r where r.id = f.run_id and r.finished_at is null)`,
  sql`delete from event where at < now() - interval '24 hours'`,
]

/** Clears away what has had its time, every ten minutes; gives the way to end it. */
export function keepHouse(deps: Deps): () => Promise<void> {
  let working: Promise<void> | undefined
  const work = () => {
    working ??= clearOnce(deps, (error) =>
      deps.log.warn({ err: error }, 'old rows could not be cleared away yet'),
    ).finally(() => {
      working = undefined
    })
  }
  const first = setTimeout(work, FIRST_MS)
  const every = setInterval(work, EVERY_MS)
  return async () => {
    clearTimeout(first)
    clearInterval(every)
    await working
  }
}

/** Clears away once; what could not be is told to `onFailed`, and the rest goes on. */
export async function clearOnce(deps: Deps, onFailed: (error: unknown) => void): Promise<void> {
  for (const chore of CHORES) {
    try {
      await deps.db.execute(chore)
    } catch (error) {
      onFailed(error)
    }
  }
  await clearUploads(join(deps.settings.dataDir, INCOMING), deps.now().getTime() - UPLOAD_MS)
}

/** Bytes on their way in, whose server was killed before they were whole. */
async function clearUploads(folder: string, before: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found && found.mtimeMs < before) await rm(path, { force: true })
  }
}
