import { inArray } from 'drizzle-orm'
import { mail as mailApi } from '@weft/contract/access/mail/api'
import type { Mail, MailServer } from '@weft/contract/access/mail/schema'
import { AppError } from '../../../kit/app-error.ts'
import type { Tx } from '../../../kit/context.ts'
import type { Deps } from '../../../kit/deps.ts'
import { newId } from '../../../kit/id.ts'
import { prepared, type Implementation } from '../../../kit/implement.ts'
import { listOf } from '../../../kit/list.ts'
import { iso } from '../../../kit/record.ts'
import { readGuarded, writeGuarded } from '../guarded/guarded.ts'
import { openText, sendHeldBack } from './outbox.ts'
import { MAIL_SERVER } from './server.ts'
import { mail, type MailRow } from './table.ts'
import { mailText } from './texts.ts'
import { deliver } from './transport.ts'

/** The mail server's settings and the outbox. */
export function mailHandlers(deps: Deps): Implementation<typeof mailApi> {
  const { secrets, settings } = deps

  const server = async (db: Tx): Promise<MailServer> => {
    const { value, secret } = await readGuarded(db, secrets, MAIL_SERVER)
    return { ...value, password: { set: secret !== null } }
  }
  const present = (row: MailRow): Mail => ({
    id: row.id,
    kind: row.kind,
    to: row.to,
    subject: row.subject,
    text: openText(secrets, row),
    state: row.state,
    attempts: row.attempts,
    lastError: row.lastError,
    createdAt: iso(row.createdAt),
    sentAt: iso(row.sentAt),
  })

  return {
    server: (ctx) => server(ctx.tx),

    async saveServer(ctx, { password, ...value }) {
      const before = await server(ctx.tx)
      await writeGuarded(ctx.tx, secrets, MAIL_SERVER, { value, secret: password, by: ctx.user.id })
      if (value.host !== '') await sendHeldBack(ctx)
      const after = await server(ctx.tx)
      ctx.audit({ feature: 'mail', recordId: null, before, after })
      return after
    },

    test: prepared(
      mailApi.test,
      async ({ db }, { to }) => {
        const found = await readGuarded(db, secrets, MAIL_SERVER)
        if (found.value.host === '') throw new AppError('mail.no_server')
        const { siteName, defaultLanguage } = await deps.system.all()
        const letter = { id: newId(), to, ...mailText(defaultLanguage, 'test', { site: siteName }) }
        return deliver(found, letter, settings.publicUrl)
      },
      async (ctx, { to }, refused) => {
        const answer = { accepted: refused === undefined, reason: refused?.reason ?? null }
        ctx.audit({ feature: 'mail', recordId: null, after: { to, ...answer } })
        return answer
      },
    ),

    outbox: prepared(
      mailApi.outbox,
      async ({ db, scope }, input) =>
        listOf(db, input, {
          rows: (tx) => tx.select().from(mail).$dynamic(),
          table: mail,
          id: mail.id,
          where: [
            scope('MANAGE', 'SYSTEM', { ownerId: mail.userId }),
            input.state ? inArray(mail.state, input.state) : undefined,
          ],
          search: [mail.to, mail.subject],
          sort: { createdAt: mail.createdAt, to: mail.to, state: mail.state },
          defaultSort: { by: 'createdAt', desc: true },
          present: (rows) => rows.map(present),
        }),
      async (ctx, { page }, list) => {
        ctx.audit({ feature: 'mail', recordId: null, after: { page } })
        return list
      },
    ),
  }
}
