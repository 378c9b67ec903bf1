import { NOTES_FIELD, TAGS_FIELD, type ListField } from '../../kit/list/fields.ts'

/** What can be set of videos in the list: in place, or for many at once. */
export const videoFields: readonly ListField[] = [
  { name: 'title', kind: 'text', bulk: false },
  { name: 'channelName', kind: 'text', clearable: true },
  { name: 'rightsSource', kind: 'text', clearable: true },
  { name: 'licence', kind: 'text', clearable: true },
  { name: 'rightsUntil', kind: 'dateTime', clearable: true },
  TAGS_FIELD,
  NOTES_FIELD,
]
