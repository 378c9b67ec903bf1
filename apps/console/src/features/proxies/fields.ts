import { PROXY_TYPES } from '@weft/contract/proxies/schema'
import { NOTES_FIELD, TAGS_FIELD, type ListField } from '../../kit/list/fields.ts'

/** What can be set of proxies in the list: in place, or for many at once. */
export const proxyFields: readonly ListField[] = [
  { name: 'type', kind: 'option', options: PROXY_TYPES },
  { name: 'provider', kind: 'text', clearable: true },
  { name: 'expiresAt', kind: 'dateTime', clearable: true },
  { name: 'capacity', kind: 'number', clearable: true },
  TAGS_FIELD,
  NOTES_FIELD,
]
