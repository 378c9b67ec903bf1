import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { locate } from '@weft/contract/core/client'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { ACTIONS, type Rule } from '@weft/contract/core/permissions'
import { KINDS, makeEstate, type Estate, type Kind } from '../testing/estate.ts'
import { sampleOf } from '../testing/sample.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

/** Everything, on own records. */
const OWN: Rule = { action: [...ACTIONS], subject: 'all', conditions: { ownerId: '${user.id}' } }

let server: TestServer
let owner: Estate
let other: Estate

beforeAll(async () => {
  server = await startTestServer()
  const [anna, bert] = [await server.withRules('anna', [OWN]), await server.withRules('bert', [OWN])]
  owner = await makeEstate(server.url, anna, 'anna-only')
  other = await makeEstate(server.url, bert, 'bert-only')
})
afterAll(() => server.stop())

interface Answer {
  status: number
  text: string
}

async function send(endpoint: Endpoint, token: string, input: Record<string, unknown>): Promise<Answer> {
  const { url, body } = locate(endpoint, input)
  const sendsJson = endpoint.method !== 'GET' && !endpoint.rawBody
  const response = await fetch(server.url + url, {
    method: endpoint.method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(sendsJson ? { 'content-type': 'application/json' } : {}),
      ...(endpoint.rawBody ? { 'content-type': 'application/octet-stream' } : {}),
    },
    ...(sendsJson ? { body: JSON.stringify(body) } : endpoint.rawBody ? { body: 'x' } : {}),
  })
  return { status: response.status, text: await response.text() }
}

const NAMES_RECORD = /^(?:id|ids|selection)$|.Ids?$/
/** Names that end like a record's, and are of something else: everybody's built-in devices, the steps of a document. */
const NOBODYS = new Set(['deviceId', 'activityId'])

/** The fields of a call that name a record of somebody's. */
function recordFields(endpoint: Endpoint): string[] {
  if (endpoint.name.startsWith('activities.')) return []
  return Object.keys(endpoint.input?.shape ?? {}).filter(
    (name) => NAMES_RECORD.test(name) && !NOBODYS.has(name),
  )
}

/** Features whose calls are about records of another name. */
const ABOUT: Readonly<Record<string, Kind>> = {
  access: 'users',
  avatars: 'users',
  recovery: 'users',
  twoSteps: 'users',
  viewing: 'users',
  desk: 'runs',
  editorBrowsers: 'runs',
  testRuns: 'runs',
}

/** Which kind of record a field names. A new name that is not understood here fails the walk. */
function kindOf(endpoint: Endpoint, field: string): Kind {
  const [feature = '', call = ''] = endpoint.name.split('.')
  const attached = /^(?:add|remove)([A-Z]\w+)$/.exec(call)?.[1]?.toLowerCase()
  const name = {
    selection: attached ?? feature,
    ids: feature === 'access' ? 'sessions' : feature,
    id: /item$/i.test(call) ? 'items' : (ABOUT[feature] ?? feature),
    proxyId: 'proxies',
    ownerId: 'users',
    waitId: 'questions',
    copyOf: 'workflows',
  }[field]
  return z.enum(KINDS).parse(name ?? field.replace(/Ids?$/, 's'))
}

function valueOf(field: string, id: string): unknown {
  if (field === 'selection') return { ids: [id] }
  return field.endsWith('s') ? [id] : id
}

/** What the contract accepts, with all required records one's own and one field somebody else's. */
async function inputWith(endpoint: Endpoint, field: string): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = endpoint.input ? sampleOf(endpoint.input) : {}
  for (const name of recordFields(endpoint))
    if (name in input) input[name] = valueOf(name, other.ids[kindOf(endpoint, name)])
  if ('version' in input) input['version'] = await versionOf(kindOf(endpoint, 'id'))
  input[field] = valueOf(field, owner.ids[kindOf(endpoint, field)])
  return input
}

/** The version that one's own record has now. */
async function versionOf(kind: Kind): Promise<number> {
  const get = server.app.endpoints.find(({ name }) => name === `${kind}.get`)
  if (!get) throw new Error(`${kind} cannot be asked for`)
  const { text } = await send(get, other.person.token, { id: other.ids[kind] })
  return z.object({ data: z.object({ version: z.number() }) }).parse(JSON.parse(text)).data.version
}

/** An answer that did nothing and told nothing: an empty list, nothing changed, all refused, only zeros. */
const NOTHING = z.union([
  z.looseObject({ totalRecord: z.literal(0), data: z.tuple([]) }),
  z.looseObject({ data: z.looseObject({ done: z.literal(0) }) }),
  z.looseObject({ data: z.looseObject({ changed: z.literal(0) }) }),
  z.looseObject({ data: z.looseObject({ ended: z.literal(0) }) }),
  z.looseObject({
    data: z.looseObject({
      campaigns: z.object({ total: z.literal(0), running: z.literal(0), needsPerson: z.literal(0) }),
    }),
  }),
])

/** Tables that name their person by another column than records do. */
const BY_USER = new Set(['session', 'api_token', 'passkey', 'totp_factor'])

/** What the owner has, without what their own agent and campaign go on changing. */
async function belongings(): Promise<unknown> {
  const whole = [
    'project',
    'account',
    'profile',
    'phone',
    'proxy',
    'video',
    'workflow',
    'file',
    'import',
    'sso_provider',
    'role',
    'list_view',
  ]
  const found: Record<string, unknown> = {}
  for (const table of whole) {
    const { rows } = await server.deps.pool.query<object>(
      `select to_jsonb(t) - 'last_used_at' - 'status' as row from ${table} t where owner_id = $1 order by id`,
      [owner.person.id],
    )
    found[table] = rows
  }
  const some = {
    campaign: 'title, code, inputs, deleted_at, project_id, workflow_id',
    client: 'name, admin, deleted_at, thread',
    session: 'id, ended_at',
    passkey: 'id, name',
    api_token: 'id, name',
    totp_factor: 'user_id, confirmed_at',
    app_user: 'username, email, status, version, password_hash',
  }
  for (const [table, columns] of Object.entries(some)) {
    const { rows } = await server.deps.pool.query<object>(
      `select ${columns} from ${table} where ${BY_USER.has(table) ? 'user_id' : 'owner_id'} = $1 order by 1`,
      [owner.person.id],
    )
    found[table] = rows
  }
  const attached = await server.deps.pool.query<object>(
    'select kind, resource_id from campaign_resource where campaign_id = $1 order by 1, 2',
    [owner.ids.campaigns],
  )
  return { ...found, attached: attached.rows }
}

const byPerson = ({ access }: Endpoint) => access === 'signedIn' || typeof access === 'object'

describe('somebody else’s record', () => {
  it('is as good as none in every call, wherever it is named: as the record itself, as a link, in a list', async () => {
    const before = await belongings()
    const wrong: unknown[] = []
    let looked = 0
    for (const endpoint of server.app.endpoints.filter(byPerson))
      for (const field of recordFields(endpoint)) {
        const { status, text } = await send(endpoint, other.person.token, await inputWith(endpoint, field))
        looked += 1
        const itself = field === 'id' || (field === 'campaignId' && endpoint.name.startsWith('campaigns.'))
        const refused = itself ? status === 404 : [404, 409, 422].includes(status)
        const nothing = !itself && status === 200 && NOTHING.safeParse(JSON.parse(text)).success
        if ((!refused && !nothing) || text.includes(owner.word))
          wrong.push({ call: endpoint.name, field, status, text: text.slice(0, 300) })
      }
    expect(wrong).toEqual([])
    expect(looked).toBeGreaterThan(100)
    expect(await belongings()).toEqual(before)
  })

  it('does not show in any list, export or sum', async () => {
    const leaks: string[] = []
    for (const endpoint of server.app.endpoints.filter(
      (one) => byPerson(one) && recordFields(one).length === 0,
    )) {
      if (endpoint.method !== 'GET' || endpoint.path.includes('{')) continue
      const { status, text } = await send(
        endpoint,
        other.person.token,
        sampleOf(endpoint.input ?? z.object({})),
      )
      expect([endpoint.name, status]).toEqual([endpoint.name, 200])
      if (text.includes(owner.word)) leaks.push(endpoint.name)
    }
    expect(leaks).toEqual([])
  })
})

const EVENT = {
  seq: 1,
  type: 'stepStarted',
  at: '2026-01-01T00:00:00.000Z',
  path: 'only',
  stepId: 'only',
  attempt: 1,
  name: 'Only',
  activity: 'finish',
  input: {},
}

describe('another client’s run', () => {
  it('is refused to every call of an agent that names it', async () => {
    const runId = owner.ids.runs
    const holder = { runId, leaseToken: 'made-up' }
    const inputs: Record<string, Record<string, unknown>> = {
      'agents.claim': { claims: [holder] },
      'agents.reject': { runs: [{ ...holder, reason: 'x' }] },
      'agents.start': { runs: [holder] },
      'agents.renew': { runs: [holder] },
      'agents.report': { runs: [{ ...holder, events: [EVENT] }] },
      'agents.log': { id: runId, leaseToken: 'made-up', offset: 0 },
      'agents.secret': { runId, leaseToken: 'made-up', handle: 'account.password' },
      'agents.subworkflow': { id: runId, leaseToken: 'made-up', workflowId: owner.ids.workflows },
      'agents.inputFile': { id: runId, leaseToken: 'made-up', fileId: owner.ids.files },
      'agents.snapshot': { id: runId, leaseToken: 'made-up' },
      'agents.frame': { id: runId, leaseToken: 'made-up' },
      'agents.wait': {
        id: runId,
        leaseToken: 'made-up',
        wait: { kind: 'time', seconds: 60, stepId: 'x', stepName: null, path: '', question: null },
      },
    }
    /** These name no run. */
    const others = ['agents.heartbeat', 'agents.finish', 'agents.workflow', 'agents.upload']
    const closed = server.app.endpoints.filter(({ access }) => access === 'agent')
    expect(closed.map(({ name }) => name).sort()).toEqual([...Object.keys(inputs), ...others].sort())
    for (const endpoint of closed) {
      const input = inputs[endpoint.name]
      if (!input) continue
      const full = { ...(endpoint.input ? sampleOf(endpoint.input) : {}), ...input }
      const { status, text } = await send(endpoint, other.agent.token, full)
      const refused =
        status === 404 ||
        (status === 200 && /"(?:ok":false|code":"(?:unknown|not_allowed|superseded))/.test(text))
      expect([endpoint.name, refused, text]).toEqual([endpoint.name, true, text])
      expect(text).not.toContain(owner.word)
    }
    const workflow = server.app.endpoints.find(({ name }) => name === 'agents.workflow')
    const { rows } = await server.deps.pool.query<{ hash: string }>(
      'select hash from workflow_release where workflow_id = $1',
      [owner.ids.workflows],
    )
    if (!workflow || !rows[0]) throw new Error('there is no release')
    expect((await send(workflow, other.agent.token, { hash: rows[0].hash })).status).toBe(404)
  })
})
