import { ACCESS_ERRORS } from '@weft/contract/access/errors'
import { BULK_ERRORS } from '@weft/contract/bulks/errors'
import { CAMPAIGN_ERRORS } from '@weft/contract/campaigns/errors'
import { CLIENT_ERRORS } from '@weft/contract/clients/errors'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { DEVICE_ERRORS } from '@weft/contract/devices/errors'
import { ERRORS, type ErrorCode } from '@weft/contract/errors'
import { IMPORT_ERRORS } from '@weft/contract/imports/errors'
import { MESSAGES } from '@weft/contract/messages'
import { PROJECT_ERRORS } from '@weft/contract/projects/errors'
import { PROXY_ERRORS } from '@weft/contract/proxies/errors'
import { SYSTEM_ERRORS } from '@weft/contract/system/errors'
import { USER_ERRORS } from '@weft/contract/users/errors'
import { VIDEO_ERRORS } from '@weft/contract/videos/errors'
import { VIEW_ERRORS } from '@weft/contract/views/errors'
import { WORKFLOW_ERRORS } from '@weft/contract/workflows/errors'

type Json = Record<string, unknown>

/** The codes that belong to a feature; calls of features that are about the same things may answer with them too. */
const OF_FEATURE: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  accessRequests: { 'auth.wait_next_request': ACCESS_ERRORS['auth.wait_next_request'] },
  access: { ...ACCESS_ERRORS, 'auth.local_off': SYSTEM_ERRORS['auth.local_off'] },
  // Secrets are shown to who gives their own password once more.
  accounts: ACCESS_ERRORS,
  agents: CLIENT_ERRORS,
  avatars: {
    'request.unsupported_type': ERRORS['request.unsupported_type'],
  },
  botCheck: ACCESS_ERRORS,
  bulks: BULK_ERRORS,
  campaigns: { ...CAMPAIGN_ERRORS, ...PROJECT_ERRORS },
  clients: CLIENT_ERRORS,
  devices: DEVICE_ERRORS,
  imports: IMPORT_ERRORS,
  mail: ACCESS_ERRORS,
  passkeys: ACCESS_ERRORS,
  // Lists are named by their calls.
  preferences: { 'link.not_found': ERRORS['link.not_found'] },
  proxies: PROXY_ERRORS,
  recovery: ACCESS_ERRORS,
  reports: CAMPAIGN_ERRORS,
  runs: { ...CAMPAIGN_ERRORS, 'client.not_connected': CLIENT_ERRORS['client.not_connected'] },
  routes: SYSTEM_ERRORS,
  sso: { ...ACCESS_ERRORS, 'system.would_lock_out': SYSTEM_ERRORS['system.would_lock_out'] },
  system: {
    ...SYSTEM_ERRORS,
    'auth.confirm_required': ACCESS_ERRORS['auth.confirm_required'],
    'record.stale': ERRORS['record.stale'],
  },
  tokens: ACCESS_ERRORS,
  twoSteps: ACCESS_ERRORS,
  // Roles are named by their keys.
  users: { ...ACCESS_ERRORS, ...USER_ERRORS, 'link.not_found': ERRORS['link.not_found'] },
  videos: { ...VIDEO_ERRORS, 'auth.required': ERRORS['auth.required'] },
  views: { ...VIEW_ERRORS, 'link.not_found': ERRORS['link.not_found'] },
  viewing: { ...ACCESS_ERRORS, ...USER_ERRORS },
  projects: PROJECT_ERRORS,
  workflows: { ...WORKFLOW_ERRORS, ...PROJECT_ERRORS },
}

const isCode = (text: string): text is ErrorCode => text in ERRORS

/** Every code that a call may fail with: what its place in the contract brings with it, and its feature's own. */
export function errorCodesOf(endpoint: Endpoint): ErrorCode[] {
  const { access, method, input, rawBody } = endpoint
  const [feature = '', call = ''] = endpoint.name.split('.')
  const names = Object.keys(input?.shape ?? {})
  const changes = method !== 'GET'
  const byPerson = access === 'signedIn' || typeof access === 'object'
  const namesRecord = names.some((name) => /^(?:id|ids|selection)$|Ids?$/.test(name))
  const linksRecord = names.some((name) => /.Ids?$/.test(name))
  const codes = new Set<string>([
    'request.malformed',
    'request.invalid',
    'request.too_many',
    'system.database_unavailable',
    'system.stopping',
    'system.failed',
  ])
  const when = (holds: boolean, ...more: ErrorCode[]) => {
    if (holds) for (const code of more) codes.add(code)
  }
  when(byPerson, 'auth.required', 'auth.ended')
  when(access === 'agent', 'auth.required')
  when(access === 'refreshCookie', 'auth.csrf', 'auth.ended')
  when(byPerson, 'access.denied')
  when(changes || rawBody !== undefined, 'request.unsupported_type', 'request.too_large')
  when(!endpoint.duringMaintenance, 'system.maintenance')
  when(!endpoint.duringMaintenance && changes, 'system.read_only')
  when(byPerson && method === 'POST' && endpoint.idempotent !== false, 'request.idempotency_mismatch')
  when(byPerson && method === 'POST' && endpoint.idempotent !== false, 'request.in_progress')
  when(namesRecord, 'record.not_found')
  when(linksRecord, 'link.not_found')
  when(names.includes('version'), 'record.stale')
  when(changes && byPerson, 'record.duplicate', 'record.in_use', 'record.wrong_state')
  when(changes && byPerson && !endpoint.readsOnly, 'access.viewing_as')
  when(endpoint.botAction !== undefined, 'bot.refused', 'bot.unreachable')
  when(byPerson, 'auth.not_by_token')
  // A resource's table may be imported anywhere.
  if (call === 'import') for (const code of Object.keys(IMPORT_ERRORS)) codes.add(code)
  for (const code of Object.keys(OF_FEATURE[feature] ?? {})) codes.add(code)
  return [...codes].filter(isCode).sort()
}

/** The failures of a call as OpenAPI writes them: by status, each with its codes and what they say. */
export function failuresOf(endpoint: Endpoint): Json {
  const byStatus = Object.groupBy(errorCodesOf(endpoint), (code) => String(ERRORS[code]))
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes = []]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${MESSAGES[code]}`).join('\n\n'),
        content: {
          'application/json': {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/Error' },
                { type: 'object', properties: { code: { type: 'string', enum: codes } } },
              ],
            },
          },
        },
      },
    ]),
  )
}
