import { PHONE_KINDS, PHONE_SETTABLE } from '@weft/contract/phones/schema'
import { NOTES_FIELD, TAGS_FIELD, type ListField } from '../../kit/list/fields.ts'

/** What can be set of phones in the list: in place, or for many at once. */
export const phoneFields: readonly ListField[] = [
  { name: 'status', kind: 'option', options: PHONE_SETTABLE },
  { name: 'label', kind: 'text', clearable: true },
  { name: 'owner', kind: 'text', clearable: true },
  { name: 'deviceNote', kind: 'text', clearable: true },
  { name: 'kind', kind: 'option', options: PHONE_KINDS },
  TAGS_FIELD,
  NOTES_FIELD,
]
