import { firstText, text } from '../../lib/i18n/texts.ts'

/** A right in words: what may be done to what. */
export function rightText({ action, subject }: { action: string; subject: string }): string {
  return text('kit:rights.right', {
    action: firstText([`kit:rights.actions.${action}`]) ?? action,
    subject: firstText([`kit:rights.subjects.${subject}`]) ?? subject,
  })
}
