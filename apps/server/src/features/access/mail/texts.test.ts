import { expect, it } from 'vitest'
import { MAIL_KINDS } from '@weft/contract/access/mail/schema'
import { MAIL_TEXTS, mailText } from './texts.ts'

const names = (text: string) =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name).sort((a, b) => a.localeCompare(b))

it('fills the same places in every language', () => {
  for (const kind of MAIL_KINDS)
    for (const part of ['subject', 'text'] as const)
      for (const locale of ['fr', 'ar'] as const)
        expect([kind, locale, names(MAIL_TEXTS[locale][kind][part])]).toEqual([
          kind,
          locale,
          names(MAIL_TEXTS.en[kind][part]),
        ])
})

it('lets nobody’s name write a line of the head', () => {
  expect(mailText('en', 'test', { site: 'A\r\nBcc: all@example.org' }).subject).toBe(
    'A Bcc: all@example.org: mail works',
  )
})
