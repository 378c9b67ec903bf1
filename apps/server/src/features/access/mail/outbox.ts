import { and, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { MailKind } from '@weft/contract/access/mail/schema'
import type { Work } from '../../../kit/context.ts'
import type { Deps } from '../../../kit/deps.ts'
import { newId } from '../../../kit/id.ts'
import { defineJob } from '../../../kit/jobs.ts'
import type { Secrets } from '../../../kit/secrets.ts'
import { readGuarded } from '../guarded/guarded.ts'
import type { UserRow } from '../table.ts'
import { MAIL_SERVER } from './server.ts'
import { mail, type MailRow } from './table.ts'
import { mailText } from './texts.ts'
import { deliver } from './transport.ts'

const TRIES_MAX = 5

/** Hands one mail of the outbox to the mail server. */
export const sendMail = defineJob('mail.send', z.object({ mailId: z.uuid() }), {
  retryLimit: TRIES_MAX,
  retryDelaySeconds: 20,
  expireSeconds: 120,
})

const place = (id: string) => ({ table: 'mail', column: 'sealed_text', row: id })

/** The text of a mail that was not sent; null once it was. */
export function openText(secrets: Secrets, row: MailRow): string | null {
  return row.sealedText === null ? null : secrets.open(row.sealedText, place(row.id))
}

type Addressee = Pick<UserRow, 'id' | 'email' | 'displayName' | 'username' | 'locale'>

/**
 * Writes a mail to somebody, in their language, to be sent once the transaction is committed. Without an address: nothing.
 * `site` is the installation's name.
 */
export async function writeMail(
  work: Pick<Work, 'tx' | 'enqueue'>,
  secrets: Secrets,
  kind: MailKind,
  to: Addressee,
  params: Readonly<Record<string, string>> & { site: string },
): Promise<void> {
  if (to.email === null) return
  const { displayName, username } = to
  const { subject, text } = mailText(to.locale, kind, { name: displayName, username, ...params })
  const id = newId()
  const sealedText = secrets.seal(text, place(id))
  await work.tx.insert(mail).values({ id, kind, userId: to.id, to: to.email, subject, sealedText })
  await work.enqueue(sendMail, { mailId: id })
}

type SendDeps = Pick<Deps, 'db' | 'secrets' | 'settings' | 'now'>

/** Sends one mail of the outbox, if it still waits. Throws where it should be tried again later. */
export async function sendOne(deps: SendDeps, mailId: string): Promise<void> {
  const { db, secrets, settings } = deps
  const server = await readGuarded(db, secrets, MAIL_SERVER)
  if (server.value.host === '') {
    await db
      .update(mail)
      .set({ state: 'kept' })
      .where(and(eq(mail.id, mailId), eq(mail.state, 'waiting')))
    return
  }
  const [row] = await db
    .update(mail)
    .set({ attempts: sql`${mail.attempts} + 1` })
    .where(and(eq(mail.id, mailId), eq(mail.state, 'waiting')))
    .returning()
  if (!row) return
  const letter = { id: row.id, to: row.to, subject: row.subject, text: openText(secrets, row) ?? '' }
  const refused = await deliver(server, letter, settings.publicUrl)
  if (!refused) {
    await db
      .update(mail)
      .set({ state: 'sent', sealedText: null, lastError: null, sentAt: deps.now() })
      .where(eq(mail.id, mailId))
    return
  }
  const last = refused.forGood || row.attempts > TRIES_MAX
  await db
    .update(mail)
    .set({ state: last ? 'failed' : 'waiting', lastError: refused.reason })
    .where(eq(mail.id, mailId))
  if (!last) throw new Error(`the mail ${mailId} could not be sent yet: ${refused.reason}`)
}

/** Sends what was kept or given up lately, after the mail server was set or mended; older links are no longer good. */
export async function sendHeldBack(work: Pick<Work, 'tx' | 'enqueue'>): Promise<void> {
  const rows = await work.tx
    .update(mail)
    .set({ state: 'waiting', attempts: 0 })
    .where(
      and(inArray(mail.state, ['kept', 'failed']), sql`${mail.createdAt} > now() - interval '30 minutes'`),
    )
    .returning({ id: mail.id })
  for (const { id } of rows) await work.enqueue(sendMail, { mailId: id })
}
