import type { MailKind } from '@weft/contract/access/mail/schema'
import ar from './texts/ar.json' with { type: 'json' }
import en from './texts/en.json' with { type: 'json' }
import fr from './texts/fr.json' with { type: 'json' }

interface MailText {
  subject: string
  text: string
}

/** What mails say, in the languages of the console. */
export const MAIL_TEXTS: Readonly<Record<'en' | 'fr' | 'ar', Readonly<Record<MailKind, MailText>>>> = {
  en,
  fr,
  ar,
}

/** A mail's subject and text in a person's language. */
export function mailText(
  locale: 'en' | 'fr' | 'ar',
  kind: MailKind,
  params: Readonly<Record<string, string>>,
): MailText {
  const { subject, text } = MAIL_TEXTS[locale][kind]
  const fill = (words: string) => words.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => params[name] ?? '')
  // Names are people's own words: one with a line break must not make a new line of a mail's head.
  return { subject: fill(subject).replaceAll(/\s+/g, ' '), text: fill(text) }
}
