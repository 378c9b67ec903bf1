import { z } from 'zod'
import { defineApi, type EndpointSpec } from '../core/endpoint.ts'
import { listQuery, queryFlag, queryList, recordFilters } from '../core/list.ts'
import { id, idInput, selection, version } from '../core/record.ts'
import { retryFrom } from '../runs/schema.ts'
import { CAMPAIGN_STATES, ITEM_STATES } from './states.ts'
import {
  ATTACHABLE,
  CAMPAIGN_TYPES,
  campaignCreate,
  campaignSchema,
  campaignUpdate,
  itemSchema,
  planSchema,
  type Attachable,
} from './schema.ts'

const at = '/api-campaign/api/v1/campaign'

/** What attaching or detaching did: how many were taken, were so already, or were refused, each with its reason. */
export const attachResultSchema = z.object({
  changed: z.number().int(),
  already: z.number().int(),
  refused: z.array(z.object({ id, code: z.string() })),
})
export type AttachResult = z.infer<typeof attachResultSchema>

const attach = <const K extends Attachable, const V extends 'add' | 'remove'>(kind: K, verb: V) =>
  ({
    method: 'POST',
    path: `${at}/${verb}-${kind}`,
    access: { action: 'UPDATE', subject: 'CAMPAIGN' },
    summary: verb === 'add' ? `Attach ${kind} to a campaign` : `Detach ${kind} from a campaign`,
    input: z.strictObject({ campaignId: id, selection }),
    inQuery: ['campaignId'],
    data: attachResultSchema,
    audit: `campaign.${verb}_${kind}`,
  }) as const satisfies EndpointSpec

/** A resource as the campaign editor lists it. */
export const candidateSchema = z.object({
  id,
  name: z.string(),
  detail: z.string(),
  status: z.string(),
  attached: z.boolean(),
})
export type Candidate = z.infer<typeof candidateSchema>

const fetchKind = <const K extends Attachable>(kind: K) =>
  ({
    method: 'GET',
    path: `${at}/fetch-${kind}`,
    access: { action: 'VIEW', subject: 'CAMPAIGN' },
    summary: `The ${kind} that a campaign has or could have`,
    input: listQuery({
      sortable: ['name', 'status', 'createdAt'],
      filters: { campaignId: id, attached: queryFlag.optional() },
    }),
    list: candidateSchema,
  }) as const satisfies EndpointSpec

const change = <const N extends string>(name: N, summary: string) =>
  ({
    method: 'POST',
    path: `${at}/${name}/{id}`,
    access: { action: 'RUN', subject: 'CAMPAIGN' },
    summary,
    input: idInput,
    data: campaignSchema,
    audit: `campaign.${name}`,
  }) as const satisfies EndpointSpec

const itemChange = <const N extends string>(name: N, summary: string) =>
  ({
    method: 'POST',
    path: `${at}/item/${name}/{id}`,
    access: { action: 'RUN', subject: 'CAMPAIGN' },
    summary,
    input: z.strictObject({ id, note: z.string().max(1000).optional() }),
    data: itemSchema,
    audit: `item.${name}`,
  }) as const satisfies EndpointSpec

export const campaigns = defineApi('campaigns', {
  list: {
    method: 'GET',
    path: `${at}/list`,
    access: { action: 'VIEW', subject: 'CAMPAIGN' },
    summary: 'List campaigns',
    input: listQuery({
      sortable: ['title', 'code', 'type', 'state', 'startedAt', 'finishedAt', 'createdAt', 'updatedAt'],
      filters: {
        ...recordFilters,
        state: queryList(z.enum(CAMPAIGN_STATES)).optional(),
        type: queryList(z.enum(CAMPAIGN_TYPES)).optional(),
        projectId: id.optional(),
        workflowId: id.optional(),
      },
    }),
    list: campaignSchema,
  },
  get: {
    method: 'GET',
    path: `${at}/get/{id}`,
    access: { action: 'VIEW', subject: 'CAMPAIGN' },
    summary: 'One campaign',
    input: idInput,
    data: campaignSchema,
  },
  create: {
    method: 'POST',
    path: `${at}/create`,
    access: { action: 'CREATE', subject: 'CAMPAIGN' },
    summary: 'Create a campaign',
    input: z.strictObject(campaignCreate),
    data: campaignSchema,
    audit: 'campaign.create',
  },
  update: {
    method: 'POST',
    path: `${at}/update`,
    access: { action: 'UPDATE', subject: 'CAMPAIGN' },
    summary: 'Change a campaign; while it runs only pacing, error policy, title, notes and tags',
    input: z.strictObject({ id, version, ...campaignUpdate }),
    data: campaignSchema,
    audit: 'campaign.update',
  },
  remove: {
    method: 'POST',
    path: `${at}/delete/{id}`,
    access: { action: 'DELETE', subject: 'CAMPAIGN' },
    summary: 'Put a campaign into the trash; not while it runs',
    input: idInput,
    audit: 'campaign.delete',
  },
  restore: {
    method: 'POST',
    path: `${at}/restore/{id}`,
    access: { action: 'DELETE', subject: 'CAMPAIGN' },
    summary: 'Take a campaign out of the trash',
    input: idInput,
    data: campaignSchema,
    audit: 'campaign.restore',
  },
  plan: {
    method: 'POST',
    path: `${at}/plan/{id}`,
    access: { action: 'VIEW', subject: 'CAMPAIGN' },
    summary: 'What a start would do: the items, and each resource left out with its reason',
    readsOnly: true,
    input: idInput,
    data: planSchema,
    idempotent: false,
  },
  start: change('start', 'Start now, or at the time its schedule says'),
  unschedule: change('unschedule', 'Back to draft before it begins'),
  pause: change('pause', 'Begin no more items; those under way finish'),
  resume: change('resume', 'Go on'),
  cancel: change('cancel', 'Stop what runs within the grace time and begin nothing more'),
  archive: change('archive', 'Hide it from the lists'),
  copy: {
    ...change('copy', 'A new draft with the same settings and resources'),
    access: { action: 'CREATE', subject: 'CAMPAIGN' },
  },
  fetchProfiles: fetchKind('profiles'),
  fetchAccounts: fetchKind('accounts'),
  fetchClients: fetchKind('clients'),
  fetchProxies: fetchKind('proxies'),
  fetchVideos: fetchKind('videos'),
  fetchPhones: fetchKind('phones'),
  addProfiles: attach('profiles', 'add'),
  addAccounts: attach('accounts', 'add'),
  addClients: attach('clients', 'add'),
  addProxies: attach('proxies', 'add'),
  addVideos: attach('videos', 'add'),
  addPhones: attach('phones', 'add'),
  removeProfiles: attach('profiles', 'remove'),
  removeAccounts: attach('accounts', 'remove'),
  removeClients: attach('clients', 'remove'),
  removeProxies: attach('proxies', 'remove'),
  removeVideos: attach('videos', 'remove'),
  removePhones: attach('phones', 'remove'),
  items: {
    method: 'GET',
    path: `${at}/items/{id}`,
    access: { action: 'VIEW', subject: 'CAMPAIGN' },
    summary: 'The ledger of a campaign',
    input: listQuery({
      sortable: ['seq', 'state', 'attempt', 'settledAt'],
      filters: { id, state: queryList(z.enum(ITEM_STATES)).optional() },
    }),
    list: itemSchema,
  },
  item: {
    method: 'GET',
    path: `${at}/item/get/{id}`,
    access: { action: 'VIEW', subject: 'CAMPAIGN' },
    summary: 'One item',
    input: idInput,
    data: itemSchema,
  },
  retryItem: {
    ...itemChange('retry', 'Try it again with a fresh count of attempts'),
    input: z.strictObject({ id, note: z.string().max(1000).optional(), from: retryFrom }),
  },
  skipItem: itemChange('skip', 'Leave it out'),
  doneItem: itemChange('done', 'It was done, says a person'),
  cancelItem: itemChange('cancel', 'Stop its run, or keep it from beginning'),
  results: {
    method: 'GET',
    path: `${at}/results/{id}`,
    access: { action: 'VIEW', subject: 'CAMPAIGN' },
    summary: 'One row per item with its resources, state, error and extracted values',
    input: z.strictObject({ id, format: z.enum(['csv', 'ndjson']).default('csv') }),
    stream: ['text/csv', 'application/x-ndjson'],
  },
})

/** The call that lists, attaches or detaches one kind. */
export const attachCalls = {
  profiles: { fetch: campaigns.fetchProfiles, add: campaigns.addProfiles, remove: campaigns.removeProfiles },
  accounts: { fetch: campaigns.fetchAccounts, add: campaigns.addAccounts, remove: campaigns.removeAccounts },
  clients: { fetch: campaigns.fetchClients, add: campaigns.addClients, remove: campaigns.removeClients },
  proxies: { fetch: campaigns.fetchProxies, add: campaigns.addProxies, remove: campaigns.removeProxies },
  videos: { fetch: campaigns.fetchVideos, add: campaigns.addVideos, remove: campaigns.removeVideos },
  phones: { fetch: campaigns.fetchPhones, add: campaigns.addPhones, remove: campaigns.removePhones },
} as const satisfies Record<(typeof ATTACHABLE)[number], unknown>
