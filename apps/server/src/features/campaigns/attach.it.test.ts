import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { attachCalls } from '@weft/contract/campaigns/api'
import { ATTACHABLE, type Attachable, type Pairing, type Plan } from '@weft/contract/campaigns/schema'
import { call } from '@weft/contract/core/client'
import { phones } from '@weft/contract/phones/api'
import { profiles } from '@weft/contract/profiles/api'
import { videos } from '@weft/contract/videos/api'
import { Ground, refusal, unique } from '../../engine/testing/ground.ts'

let ground: Ground
let neighbour: Ground

beforeAll(async () => {
  ground = await Ground.open()
  neighbour = await ground.neighbour('bob')
})
afterAll(() => ground.server.stop())

let numbers = 10_000

/** Makes a resource of a kind, by its own call. */
async function make(of: Ground, kind: Attachable): Promise<string> {
  const { person } = of
  switch (kind) {
    case 'accounts':
      return of.account()
    case 'proxies':
      return of.proxy()
    case 'profiles':
      return (await person.api(profiles).create({ name: unique() })).id
    case 'clients':
      return (await of.clients.create({ name: unique() })).id
    case 'videos':
      return (await person.api(videos).create({ title: unique() })).id
    case 'phones':
      numbers += 1
      return (await person.api(phones).create({ countryCode: '+33', phoneNumber: `+33612${numbers}0` })).id
    default:
      return kind satisfies never
  }
}

describe.each(ATTACHABLE)('attaching %s', (kind) => {
  const { add, remove, fetch } = attachCalls[kind]
  const change = (endpoint: typeof add | typeof remove, campaignId: string, ids: string[], by = ground) =>
    call(by.person.transport, endpoint, { campaignId, selection: { ids } })
  const attached = async (campaignId: string, has = true) =>
    (await call(ground.person.transport, fetch, { campaignId, attached: has, perPage: 100 })).data.map(
      ({ id }) => id,
    )

  it('answers for each: new, there already, not to be had', async () => {
    const [one, two] = [await make(ground, kind), await make(ground, kind)]
    const [foreign, unknown] = [await make(neighbour, kind), randomUUID()]
    const id = await ground.draft([], [])
    expect(await change(add, id, [two, one, two])).toEqual({ changed: 2, already: 0, refused: [] })
    expect(await change(add, id, [one, foreign, unknown, foreign])).toEqual({
      changed: 0,
      already: 1,
      refused: [
        { id: foreign, code: 'record.not_found' },
        { id: unknown, code: 'record.not_found' },
      ],
    })
    expect(new Set(await attached(id))).toEqual(new Set([one, two]))
    expect(await attached(id, false)).not.toContain(foreign)
    expect((await ground.campaignOf(id)).attached).toMatchObject({ [kind]: 2 })
    expect(await change(remove, id, [one, one, foreign, unknown])).toEqual({
      changed: 1,
      already: 2,
      refused: [],
    })
    expect(await attached(id)).toEqual([two])
    const all = { campaignId: id, selection: { query: {} } }
    expect((await call(ground.person.transport, remove, all)).changed).toBe(1)
    expect((await call(ground.person.transport, add, all)).changed).toBeGreaterThanOrEqual(2)
    expect(await attached(id)).not.toContain(foreign)
    // Letters that are too few for the index are looked for all the same.
    const few = { campaignId: await ground.draft([], []), selection: { query: { q: '§q' } } }
    expect((await call(ground.person.transport, add, few)).changed).toBe(0)
  })

  it('to somebody else’s or no campaign is answered as if there were none', async () => {
    const id = await ground.draft([], [])
    const mine = await make(neighbour, kind)
    for (const campaignId of [id, randomUUID()]) {
      expect(await refusal(change(add, campaignId, [mine], neighbour))).toBe('404 record.not_found')
      expect(await refusal(change(remove, campaignId, [mine], neighbour))).toBe('404 record.not_found')
      expect(await refusal(call(neighbour.person.transport, fetch, { campaignId }))).toBe(
        '404 record.not_found',
      )
    }
    expect(await refusal(change(add, id, ['not an id']))).toBe('422 request.invalid')
    expect(await refusal(change(add, id, []))).toBe('422 request.invalid')
  })
})

describe('while a campaign runs', () => {
  it('only clients come and go', async () => {
    const [first, second] = [await ground.agent(1), await ground.agent(1)]
    const id = await ground.campaign(3, [first])
    const holder = await first.begin()
    for (const kind of ATTACHABLE.filter((one) => one !== 'clients')) {
      const selection = { ids: [await make(ground, kind)] }
      const { add, remove } = attachCalls[kind]
      for (const endpoint of [add, remove])
        expect(await refusal(call(ground.person.transport, endpoint, { campaignId: id, selection }))).toBe(
          '409 campaign.not_editable',
        )
    }
    await second.nothing(300)
    const clientsOf = (agent: typeof first) => ({ campaignId: id, selection: { ids: [agent.clientId] } })
    expect(await ground.campaigns.addClients(clientsOf(second))).toMatchObject({ changed: 1 })
    const other = await second.begin()
    // The one that goes finishes what it has and gets no more.
    await ground.campaigns.removeClients(clientsOf(first))
    expect(await first.finish(holder)).toMatchObject({ status: 'accepted' })
    await second.finish(other)
    await second.finish(await second.begin())
    await first.nothing(300)
    await ground.reaches(id, 'finished')
    expect(await refusal(ground.campaigns.addClients(clientsOf(first)))).toBe('409 campaign.not_editable')
    await first.leave()
    await second.leave()
  })
})

/** A profile, phone or video that a plan can use. */
async function usable(kind: 'profiles' | 'phones' | 'videos', count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) ids.push(await make(ground, kind))
  if (kind === 'videos')
    for (const id of ids)
      await ground.server.deps.db.execute(sql`update video set status = 'ready' where id = ${id}`)
  return ids
}

const bindingRow = z.object({
  seq: z.number(),
  account: z.string().nullable(),
  profile: z.string().nullable(),
  proxy: z.string().nullable(),
  phone: z.string().nullable(),
  video: z.string().nullable(),
})
const bindings = (id: string) =>
  ground.rows(
    sql`select seq, account_id as account, profile_id as profile, proxy_id as proxy, phone_id as phone, video_id as video
      from campaign_item where campaign_id = ${id} order by seq`,
    bindingRow,
  )
const planned = ({ sample }: Plan) =>
  sample.map(({ seq, account, profile, proxy, phone, video }) => ({
    seq,
    account: account?.id ?? null,
    profile: profile?.id ?? null,
    proxy: proxy?.id ?? null,
    phone: phone?.id ?? null,
    video: video?.id ?? null,
  }))

describe('the plan', () => {
  const PAIRINGS: [string, Pairing, (sets: Sets) => Record<string, unknown>[]][] = [
    [
      'per account, one to one until one side ends',
      { per: 'account', account: 'none', profile: 'one', proxy: 'none', phone: 'none', video: 'none' },
      ({ accounts, profiles: p }) => [0, 1].map((n) => ({ account: accounts[n], profile: p[n] })),
    ],
    [
      'per account, videos in turn',
      { per: 'account', account: 'none', profile: 'none', proxy: 'none', phone: 'none', video: 'turn' },
      ({ accounts, videos: v }) => [0, 1, 2].map((n) => ({ account: accounts[n], video: v[n % 2] })),
    ],
    [
      'per video, accounts in turn and phones one to one',
      { per: 'video', account: 'turn', profile: 'none', proxy: 'none', phone: 'one', video: 'none' },
      ({ accounts, videos: v, phones: p }) =>
        [0, 1].map((n) => ({ video: v[n], account: accounts[n], phone: p[n] })),
    ],
    [
      'per profile with nothing else',
      { per: 'profile', account: 'none', profile: 'none', proxy: 'none', phone: 'none', video: 'none' },
      ({ profiles: p }) => [0, 1].map((n) => ({ profile: p[n] })),
    ],
    [
      'per phone with everything in turn',
      { per: 'phone', account: 'turn', profile: 'turn', proxy: 'turn', phone: 'none', video: 'turn' },
      ({ accounts, profiles: p, proxies, phones: f, videos: v }) =>
        [0, 1].map((n) => ({
          phone: f[n],
          account: accounts[n],
          profile: p[n],
          proxy: proxies[0],
          video: v[n],
        })),
    ],
  ]
  interface Sets {
    accounts: string[]
    profiles: string[]
    proxies: string[]
    phones: string[]
    videos: string[]
  }
  let sets: Sets

  beforeAll(async () => {
    sets = {
      accounts: await ground.accountsOf(3),
      profiles: await usable('profiles', 2),
      proxies: [await ground.proxy()],
      phones: await usable('phones', 2),
      videos: await usable('videos', 2),
    }
  })

  it.each(PAIRINGS)('%s is what is then done', async (_name, pairing, expected) => {
    const { id: client } = await ground.clients.create({ name: unique() })
    const id = await ground.draft([], [], { pairing })
    await ground.campaigns.addClients({ campaignId: id, selection: { ids: [client] } })
    for (const [kind, ids] of Object.entries(sets) as [Exclude<Attachable, 'clients'>, string[]][])
      await call(ground.person.transport, attachCalls[kind].add, { campaignId: id, selection: { ids } })
    const plan = await ground.campaigns.plan({ id })
    await ground.begin(id)
    const done = await bindings(id)
    expect(planned(plan)).toEqual(done)
    const none = { account: null, profile: null, proxy: null, phone: null, video: null }
    expect(done).toEqual(expected(sets).map((binding, n) => ({ ...none, seq: n + 1, ...binding })))
    expect(plan).toMatchObject({ total: done.length, problems: [], clients: { attached: 1, online: 0 } })
    await ground.campaigns.cancel({ id })
  })

  it('follows links, leaves out what cannot be used and says why', async () => {
    const proxyId = await ground.proxy()
    const { id: profileId } = await ground.person.api(profiles).create({ name: unique(), proxyId })
    const good = await ground.account({ profileId })
    const retired = await ground.account({ status: 'retired' })
    const gone = await ground.account()
    const broken = await ground.proxy({ disabled: true })
    const linked = await ground.account({ proxyId: broken })
    const agent = await ground.agent(2)
    const id = await ground.draft([good, retired, gone, linked], [agent])
    await ground.server.deps.db.execute(sql`update account set deleted_at = now() where id = ${gone}`)
    const plan = await ground.campaigns.plan({ id })
    expect(plan).toMatchObject({ total: 1, exclusionTotal: 3, clients: { attached: 1, online: 1, slots: 2 } })
    expect(plan.exclusions.map((entry) => [entry.id, entry.code, entry.params])).toEqual(
      expect.arrayContaining([
        [retired, 'plan.account_not_usable', { status: 'retired' }],
        [gone, 'plan.account_not_usable', { status: 'deleted' }],
        [linked, 'plan.proxy_not_usable', expect.objectContaining({ status: 'disabled' })],
      ]),
    )
    await ground.begin(id)
    expect(planned(plan)).toEqual(await bindings(id))
    expect(await bindings(id)).toMatchObject([{ account: good, profile: profileId, proxy: proxyId }])
    const second = await ground.draft([good], [agent])
    expect((await ground.campaigns.plan({ id: second })).conflicts).toMatchObject([{ id, shared: 1 }])
    await ground.campaigns.cancel({ id })
    await agent.leave()
  })
})
