import { z } from 'zod'
import { id, secretState, timestamp } from '../../core/record.ts'

/** How the connection to a mail server is made safe. */
export const MAIL_SECURITY = ['none', 'starttls', 'tls'] as const

/** Where mail goes out: the installation's own SMTP server. */
export const mailServerSchema = z.object({
  /** Empty: none is set; mail stays in the outbox, where administrators read it. */
  host: z.string(),
  port: z.number().int(),
  security: z.enum(MAIL_SECURITY),
  username: z.string(),
  password: secretState,
  from: z.string(),
  fromName: z.string(),
})
export type MailServer = z.infer<typeof mailServerSchema>

/** What a mail is about. */
export const MAIL_KINDS = ['invitation', 'resetPassword', 'passwordChanged', 'twoStepsReset', 'test'] as const
export type MailKind = (typeof MAIL_KINDS)[number]

/** waiting: to be sent; sent; failed: given up after some tries; kept: there is no server to send it by. */
export const MAIL_STATES = ['waiting', 'sent', 'failed', 'kept'] as const

/** A mail of the outbox. Its text is gone once it was sent, for it may hold a one-time link. */
export const mailSchema = z.object({
  id,
  kind: z.enum(MAIL_KINDS),
  to: z.string(),
  subject: z.string(),
  text: z.string().nullable(),
  state: z.enum(MAIL_STATES),
  attempts: z.number().int(),
  lastError: z.string().nullable(),
  createdAt: timestamp,
  sentAt: timestamp.nullable(),
})
export type Mail = z.infer<typeof mailSchema>
