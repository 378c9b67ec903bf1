import { z } from 'zod'
import { MAIL_SECURITY } from '@weft/contract/access/mail/schema'
import type { Guarded } from '../guarded/guarded.ts'

/** The SMTP server, as it is kept; the password is its secret. */
export const MAIL_SERVER = {
  key: 'mail.server',
  schema: z.object({
    host: z.string().default(''),
    port: z.number().int().default(587),
    security: z.enum(MAIL_SECURITY).default('starttls'),
    username: z.string().default(''),
    from: z.string().default(''),
    fromName: z.string().default(''),
  }),
} satisfies Guarded<unknown>
export type MailServerValue = z.infer<typeof MAIL_SERVER.schema>
