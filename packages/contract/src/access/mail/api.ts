import { z } from 'zod'
import { defineApi } from '../../core/endpoint.ts'
import { listQuery, queryList } from '../../core/list.ts'
import { MAIL_SECURITY, MAIL_STATES, mailSchema, mailServerSchema } from './schema.ts'

const prefix = '/api-internal/api/v1/system'
const manage = { action: 'MANAGE', subject: 'SYSTEM' } as const
const line = z
  .string()
  .trim()
  .regex(/^[^\r\n]*$/)

/** The mail server and the outbox. */
export const mail = defineApi('mail', {
  server: {
    method: 'GET',
    path: `${prefix}/mail-server`,
    access: manage,
    summary: 'The SMTP server that mail goes out by',
    data: mailServerSchema,
    duringMaintenance: true,
  },
  saveServer: {
    method: 'POST',
    path: `${prefix}/mail-server`,
    access: manage,
    summary: 'Set the SMTP server; an empty host keeps mail in the outbox',
    input: z.strictObject({
      host: line.pipe(z.string().max(253).regex(/^\S*$/)),
      port: z.int().min(1).max(65_535).default(587),
      security: z.enum(MAIL_SECURITY).default('starttls'),
      username: line.pipe(z.string().max(254)).default(''),
      /** Left out: as it is. Null: none. */
      password: z.string().max(1_000).nullable().optional(),
      from: z.union([z.email().max(254), z.literal('')]).default(''),
      fromName: line.pipe(z.string().max(120)).default(''),
    }),
    data: mailServerSchema,
    audit: 'mail.server',
    idempotent: false,
    duringMaintenance: true,
  },
  test: {
    method: 'POST',
    path: `${prefix}/mail-server/test`,
    access: manage,
    summary: 'Send a mail by this server now, and say what came of it',
    input: z.strictObject({ to: z.email().max(254) }),
    data: z.object({ accepted: z.boolean(), reason: z.string().nullable() }),
    audit: 'mail.test',
    idempotent: false,
    duringMaintenance: true,
  },
  outbox: {
    method: 'GET',
    path: `${prefix}/outbox`,
    access: manage,
    summary: 'Mail that was sent, waits, or cannot be sent; what was not sent can be read',
    input: listQuery({
      sortable: ['createdAt', 'to', 'state'],
      filters: { state: queryList(z.enum(MAIL_STATES)).optional() },
    }),
    list: mailSchema,
    audit: 'mail.outbox_read',
    duringMaintenance: true,
  },
})
