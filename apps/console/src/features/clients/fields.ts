import { NOTES_FIELD, TAGS_FIELD, type ListField } from '../../kit/list/fields.ts'

/** What can be set of clients in the list: in place, or for many at once. */
export const clientFields: readonly ListField[] = [
  { name: 'name', kind: 'text', bulk: false },
  TAGS_FIELD,
  NOTES_FIELD,
]
