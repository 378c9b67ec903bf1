import { NOTES_FIELD, TAGS_FIELD, type ListField } from '../../kit/list/fields.ts'

/** What can be set of videos in the list: in place, or for many at once. */
export const videoFields: readonly ListField[] = [
  { name: 'title', kind: 'text', bulk: false, maxLength: 200 },
  { name: 'channelName', kind: 'text', clearable: true, maxLength: 200 },
  TAGS_FIELD,
  NOTES_FIELD,
]
