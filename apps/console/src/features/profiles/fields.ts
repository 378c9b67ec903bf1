import { BROWSER_TYPES } from '@weft/contract/profiles/schema'
import { proxies } from '@weft/contract/proxies/api'
import { NOTES_FIELD, recordField, TAGS_FIELD, type ListField } from '../../kit/list/fields.ts'

/** What can be set of profiles in the list: in place, or for many at once. */
export const profileFields: readonly ListField[] = [
  { name: 'name', kind: 'text', bulk: false },
  { name: 'browserType', kind: 'option', options: BROWSER_TYPES },
  { name: 'locale', kind: 'ltr', clearable: true },
  { name: 'timeZone', kind: 'ltr', clearable: true },
  recordField({
    name: 'proxyId',
    source: { from: proxies.list, get: proxies.get, label: (proxy) => `${proxy.host}:${proxy.port}` },
    clearable: true,
  }),
  TAGS_FIELD,
  NOTES_FIELD,
]
