import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { accounts } from '@weft/contract/accounts/api'
import { campaigns } from '@weft/contract/campaigns/api'
import { clients } from '@weft/contract/clients/api'
import { call } from '@weft/contract/core/client'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { devices } from '@weft/contract/devices/api'
import { files } from '@weft/contract/files/api'
import { phones } from '@weft/contract/phones/api'
import { profiles } from '@weft/contract/profiles/api'
import { projects } from '@weft/contract/projects/api'
import { proxies } from '@weft/contract/proxies/api'
import { roles } from '@weft/contract/roles/api'
import { runs } from '@weft/contract/runs/api'
import { videos } from '@weft/contract/videos/api'
import { views } from '@weft/contract/views/api'
import { workflowComments } from '@weft/contract/workflow-comments/api'
import { workflowTests } from '@weft/contract/workflow-tests/api'
import { questions } from '@weft/contract/questions/api'
import { workflows } from '@weft/contract/workflows/api'
import { HandAgent } from '../engine/testing/hand-agent.ts'
import { access, passkeys, sso, tokens } from '@weft/contract/access/api'
import { SoftAuthenticator } from './authenticator.ts'
import { joinAgent, type TestAgent } from './agent.ts'
import type { TestPerson } from './people.ts'
import { sampleOf } from './sample.ts'

/** Every kind of record that belongs to somebody. */
export const KINDS = [
  'accounts',
  'bulks',
  'campaigns',
  'clients',
  'devices',
  'files',
  'imports',
  'items',
  'passkeys',
  'phones',
  'profiles',
  'projects',
  'proxies',
  'questions',
  'roles',
  'runs',
  'sessions',
  'sso',
  'tokens',
  'users',
  'videos',
  'views',
  'workflowComments',
  'workflowTests',
  'workflows',
] as const
export type Kind = (typeof KINDS)[number]

/** One record of every kind, made by the real calls, with a word in each that nobody else may read. */
export interface Estate {
  person: TestPerson
  word: string
  ids: Readonly<Record<Kind, string>>
  agent: TestAgent
}

/** Makes somebody's records: a campaign with an item whose run is offered to their client, and all around it. */
export async function makeEstate(
  baseUrl: string,
  person: TestPerson,
  word: string,
  origin = 'http://127.0.0.1:4600',
): Promise<Estate> {
  const file = await person.api(files).upload({ name: `${word}.txt` }, { body: word })
  const project = await person.api(projects).create({ name: word })
  const proxy = await create(person, proxies.create, word)
  const phone = await person.api(phones).create({ phoneNumber: '+33612345678', label: word })
  const device = await create(person, devices.create, word)
  const profile = await create(person, profiles.create, word)
  const video = await create(person, videos.create, word)
  const account = await person.api(accounts).create({ type: 'website', username: word, password: word })
  const checked = await person
    .api(accounts)
    .import({ fileName: `${word}.csv` }, { body: `username\n${word}2\n` })
  const done = await person
    .api(accounts)
    .bulk({ selection: { ids: [account.id] }, action: 'addTags', tags: [word] })
  const agent = await joinAgent(baseUrl, (await person.api(clients).joinCode({ maxSlots: 2 })).code)
  const workflowId = await publishedWorkflow(person, word)
  const test = await person.api(workflowTests).save({ workflowId, name: word })
  const comment = await person.api(workflowComments).add({ workflowId, text: word })
  const campaign = await person.api(campaigns).create({
    title: word,
    workflowId,
    projectId: project.id,
    pairing: { per: 'account', profile: 'none', proxy: 'none' },
  })
  const campaignId = campaign.id
  await person.api(campaigns).addAccounts({ campaignId, selection: { ids: [account.id] } })
  await person.api(campaigns).addClients({ campaignId, selection: { ids: [agent.clientId] } })
  await person.api(campaigns).start({ id: campaignId })
  const run = await firstOf(async () => (await person.api(runs).list({ campaignId })).data)
  const item = await firstOf(async () => (await person.api(campaigns).items({ id: campaignId })).data)
  await ask(agent, word)
  const question = await firstOf(async () => (await person.api(questions).list({})).data)
  const session = await firstOf(async () => (await person.api(access).sessions({})).data)
  const { options } = await person.api(passkeys).options({})
  const key = new SoftAuthenticator(origin).make(options)
  const made = await person.api(passkeys).create({ name: word, passkey: key })
  const { token } = await person
    .api(tokens)
    .create({ name: word, scopes: [{ subject: 'CAMPAIGN', actions: ['VIEW'] }], days: 1 })
  const role = await person.api(roles).create({ name: word, rules: [] })
  const provider = await person
    .api(sso)
    .create({ key: word, name: word, issuer: 'https://id.example.org', appKey: word })
  const view = await person.api(views).create({
    list: 'accounts.list',
    name: word,
    state: { q: word, filters: {}, sortBy: null, sortDesc: false, perPage: 25, columns: null },
  })
  const ids = {
    accounts: account.id,
    workflowComments: comment.id,
    workflowTests: test.id,
    bulks: done.id,
    campaigns: campaignId,
    clients: agent.clientId,
    devices: device.id,
    files: file.id,
    imports: checked.import.id,
    items: item.id,
    passkeys: made.passkey.id,
    phones: phone.id,
    profiles: profile.id,
    projects: project.id,
    proxies: proxy.id,
    questions: question.id,
    roles: role.id,
    runs: run.id,
    sessions: session.id,
    sso: provider.id,
    tokens: token.id,
    users: person.id,
    videos: video.id,
    views: view.id,
    workflows: workflowId,
  }
  return { person, word, ids, agent }
}

/** Has the agent begin its run and ask in it. */
async function ask(agent: TestAgent, word: string): Promise<void> {
  const { runId: id, leaseToken } = await new HandAgent(agent).begin()
  const question = { title: word, text: word, fields: [], who: 'runners' as const, names: [] }
  const step = { stepId: 'ask', stepName: null, path: 'ask' }
  await agent.calls.wait({
    id,
    leaseToken,
    seq: 1,
    wait: { kind: 'question', seconds: 3600, ...step, question },
  })
}

/** The plainest record that a call takes, with the word where it has room for one. */
async function create(person: TestPerson, endpoint: Endpoint, word: string): Promise<{ id: string }> {
  const shape = endpoint.input?.shape ?? {}
  const words = ['name', 'title', 'notes'].filter((field) => field in shape).map((field) => [field, word])
  const made: unknown = await call(person.transport, endpoint, {
    ...sampleOf(endpoint.input ?? z.object({})),
    ...Object.fromEntries(words),
  })
  return z.object({ id: z.string() }).parse(made)
}

async function publishedWorkflow(person: TestPerson, word: string): Promise<string> {
  const state = Buffer.from(JSON.stringify({ result: 'success' })).toString('base64')
  const made = await person.api(workflows).create({
    name: word,
    draft: {
      schemaVersion: 1,
      inputs: [],
      variables: [],
      start: 'only',
      activities: [{ id: 'only', type: 'finish', state }],
      connections: [],
      // Nobody else's document is the same.
      settings: { timeLimitSeconds: 60 + word.charCodeAt(0), maxAttempts: 1, traceOn: 'never' },
    },
  })
  await person.api(workflows).publish({ id: made.id, version: made.version })
  return made.id
}

async function firstOf<T>(look: () => Promise<readonly T[]>): Promise<T> {
  for (let tries = 0; tries < 150; tries += 1) {
    const [first] = await look()
    if (first !== undefined) return first
    await delay(100)
  }
  throw new Error('what was waited for did not come')
}
