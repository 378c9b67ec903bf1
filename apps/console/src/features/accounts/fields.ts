import { ACCOUNT_SETTABLE } from '@weft/contract/accounts/schema'
import { profiles } from '@weft/contract/profiles/api'
import { proxies } from '@weft/contract/proxies/api'
import { NOTES_FIELD, recordField, TAGS_FIELD, type ListField } from '../../kit/list/fields.ts'

/** What can be set of accounts in the list: in place, or for many at once. */
export const accountFields: readonly ListField[] = [
  { name: 'status', kind: 'option', options: ACCOUNT_SETTABLE },
  { name: 'channelName', kind: 'text', clearable: true },
  { name: 'displayName', kind: 'text', clearable: true },
  { name: 'email', kind: 'ltr', bulk: false, clearable: true },
  recordField({
    name: 'profileId',
    source: { from: profiles.list, get: profiles.get, label: (profile) => profile.name },
    clearable: true,
  }),
  recordField({
    name: 'proxyId',
    source: { from: proxies.list, get: proxies.get, label: (proxy) => `${proxy.host}:${proxy.port}` },
    clearable: true,
  }),
  { name: 'limits.perDay', kind: 'number', inline: false, clearable: true },
  { name: 'limits.perHour', kind: 'number', inline: false, clearable: true },
  { name: 'limits.cooldownMinutes', kind: 'number', inline: false, clearable: true },
  { name: 'limits.quietHours', kind: 'ltr', inline: false, clearable: true },
  TAGS_FIELD,
  NOTES_FIELD,
]
