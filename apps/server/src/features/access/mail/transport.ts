import { createTransport } from 'nodemailer'
import type { GuardedValue } from '../guarded/guarded.ts'
import type { MailServerValue } from './server.ts'

/** A mail as it goes out. */
export interface Letter {
  id: string
  to: string
  subject: string
  text: string
}

/** Why a mail could not be sent, and whether trying again may help. */
export interface Refusal {
  reason: string
  forGood: boolean
}

const CONNECT_MS = 10_000
const SILENCE_MS = 30_000
const REASON_MAX = 300

/** Hands one mail to the server; undefined when it was taken. The same id makes the same Message-ID, also the second time. */
export async function deliver(
  { value, secret }: GuardedValue<MailServerValue>,
  letter: Letter,
  publicUrl: string,
): Promise<Refusal | undefined> {
  const host = new URL(publicUrl).hostname
  const transport = createTransport({
    host: value.host,
    port: value.port,
    secure: value.security === 'tls',
    requireTLS: value.security === 'starttls',
    ignoreTLS: value.security === 'none',
    ...(value.username ? { auth: { user: value.username, pass: secret ?? '' } } : {}),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // A mail is text made here: nothing in it may name a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.sendMail({
      from: { name: value.fromName, address: value.from || `weft@${host}` },
      to: { name: '', address: letter.to },
      subject: letter.subject,
      text: letter.text,
      messageId: `<${letter.id}@${host}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
    return undefined
  } catch (error) {
    return refusalOf(error)
  } finally {
    transport.close()
  }
}

/** What the server said; a lasting refusal (5xx) is not asked for again. */
function refusalOf(error: unknown): Refusal {
  const status = numberIn(error, 'responseCode')
  const text = error instanceof Error ? error.message : String(error)
  return { reason: text.replaceAll(/\s+/g, ' ').slice(0, REASON_MAX), forGood: status >= 500 }
}

function numberIn(error: unknown, name: string): number {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined
  return typeof value === 'number' ? value : 0
}
