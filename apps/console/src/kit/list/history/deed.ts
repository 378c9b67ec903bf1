import { firstText, readable } from '../../../lib/i18n/texts.ts'

/** What was done to a record, in the words of the kit. */
export function deed(label: string): string {
  const name = label.slice(label.indexOf('.') + 1)
  return firstText([`kit/list:deeds.${name}`]) ?? readable(name)
}
