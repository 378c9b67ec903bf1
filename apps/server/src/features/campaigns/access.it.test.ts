import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { campaigns } from '@weft/contract/campaigns/api'
import { clients } from '@weft/contract/clients/api'
import { call } from '@weft/contract/core/client'
import type { Api, Endpoint, InputOf } from '@weft/contract/core/endpoint'
import { reports } from '@weft/contract/reports/api'
import { runs } from '@weft/contract/runs/api'
import { Ground, refusal, unique } from '../../engine/testing/ground.ts'
import { openPage } from '../../engine/testing/page.ts'
import { sampleOf } from '../../testing/sample.ts'
import type { TestPerson } from '../../testing/people.ts'

let ground: Ground
let ids: { campaign: string; item: string; run: string; client: string; file: string }

beforeAll(async () => {
  ground = await Ground.open()
  const agent = await ground.agent()
  const campaign = await ground.campaign(1, [agent])
  const holder = await agent.begin()
  await agent.calls.log({ id: holder.runId, leaseToken: holder.leaseToken, offset: 0 }, { body: 'x\n' })
  const picture = new TextEncoder().encode('a picture')
  const digest = await crypto.subtle.digest('SHA-256', picture)
  const sha256 = Buffer.from(digest).toString('hex')
  await agent.calls.upload({ sha256, offset: 0, size: picture.length }, { body: picture })
  await agent.calls.report({
    runs: [
      {
        runId: holder.runId,
        leaseToken: holder.leaseToken,
        events: [
          {
            seq: 1,
            type: 'file',
            at: new Date().toISOString(),
            path: 'post',
            stepId: 'post',
            kind: 'screenshot',
            name: 'page.png',
            sha256,
            size: picture.length,
            contentType: 'image/png',
          },
        ],
      },
    ],
  })
  const { files } = await ground.runs.get({ id: holder.runId })
  ids = {
    campaign,
    item: (await ground.item(campaign)).id,
    run: holder.runId,
    client: agent.clientId,
    file: files[0]?.id ?? '',
  }
  await agent.leave()
})
afterAll(() => ground.server.stop())

/** Which record a call is about, and so which of the ids it gets. */
function idFor(endpoint: Endpoint): string {
  if (endpoint.name === 'runs.file') return ids.file
  if (endpoint.name.startsWith('runs.')) return ids.run
  if (endpoint.name.startsWith('clients.')) return ids.client
  return endpoint.path.includes('/item/') ? ids.item : ids.campaign
}

/** All calls about one record, each with what it accepts. */
function about(api: Api): [Endpoint, Record<string, unknown>][] {
  return Object.values(api).flatMap((endpoint) => {
    if (!endpoint.input) return []
    const input = sampleOf(endpoint.input)
    if ('campaignId' in endpoint.input.shape && endpoint.name.startsWith('campaigns.'))
      return [[endpoint, { ...input, campaignId: ids.campaign }] as [Endpoint, Record<string, unknown>]]
    if (!('id' in endpoint.input.shape)) return []
    return [[endpoint, { ...input, id: idFor(endpoint) }] as [Endpoint, Record<string, unknown>]]
  })
}

async function answers(person: TestPerson, wanted: (endpoint: Endpoint) => boolean = () => true) {
  const found: Record<string, unknown> = {}
  for (const api of [campaigns, runs, clients])
    for (const [endpoint, input] of about(api))
      if (wanted(endpoint))
        found[endpoint.name] = await refusal(call(person.transport, endpoint, input as InputOf<Endpoint>))
  return found
}

describe('somebody else’s campaign, item, run, file and client', () => {
  it('are not there for any call, and nothing of them changes', async () => {
    // Its only item has begun: the campaign goes on to that by itself, and then stays as it is.
    await expect.poll(async () => (await ground.campaignOf(ids.campaign)).state).toBe('completing')
    const before = [await ground.campaignOf(ids.campaign), await ground.runs.get({ id: ids.run })]
    const found = await answers((await ground.neighbour('bob')).person)
    expect(Object.keys(found).length).toBeGreaterThan(45)
    expect(Object.entries(found).filter(([, answer]) => answer !== '404 record.not_found')).toEqual([])
    expect([await ground.campaignOf(ids.campaign), await ground.runs.get({ id: ids.run })]).toEqual(before)
  })

  it('are in none of their lists, counts, reports and messages', async () => {
    const bob = await ground.neighbour('bob')
    const page = await openPage(ground.server.url, bob.person)
    expect((await bob.campaigns.list({})).totalRecord).toBe(0)
    expect((await bob.runs.list({})).totalRecord).toBe(0)
    expect((await bob.runs.list({ campaignId: ids.campaign })).totalRecord).toBe(0)
    expect((await bob.clients.list({})).totalRecord).toBe(0)
    const now = new Date()
    const summary = await bob.person.api(reports).summary({
      from: new Date(now.getTime() - 3_600_000).toISOString(),
      to: new Date(now.getTime() + 3_600_000).toISOString(),
      timeZone: 'UTC',
      groupBy: 'hour',
      campaignIds: [ids.campaign],
    })
    expect(summary).toMatchObject({
      campaigns: { total: 0 },
      clients: { total: 0 },
      current: { runs: 0 },
      recent: [],
    })
    const mine = await openPage(ground.server.url, ground.person)
    const { version } = await ground.campaignOf(ids.campaign)
    await ground.campaigns.update({ id: ids.campaign, version, notes: unique() })
    await expect.poll(mine.told).toContain(`campaigns updated ${ids.campaign}`)
    expect(page.told()).toEqual([])
    await page.close()
    await mine.close()
  })

  it('can be looked at and not touched by a viewer', async () => {
    const viewer = await ground.server.as('viewer')
    const looks = await answers(viewer, ({ method, name }) => method === 'GET' || name === 'campaigns.plan')
    expect(Object.entries(looks).filter(([, answer]) => answer !== 'no error')).toEqual([])
    const touches = await answers(viewer, ({ method, name }) => method !== 'GET' && name !== 'campaigns.plan')
    expect(Object.keys(touches).length).toBeGreaterThan(30)
    expect(Object.entries(touches).filter(([, answer]) => answer !== '403 access.denied')).toEqual([])
    const seen = await viewer.api(campaigns).get({ id: ids.campaign })
    expect(seen.can).toEqual([])
    expect((await viewer.api(runs).get({ id: ids.run })).can).toEqual([])
    expect((await viewer.api(campaigns).item({ id: ids.item })).can).toEqual([])
    expect((await viewer.api(clients).get({ id: ids.client })).can).toEqual([])
  })
})

describe('many clients changed at once', () => {
  it('are told of in one message to those who may see them', async () => {
    const page = await openPage(ground.server.url, ground.person)
    const made: string[] = []
    for (let n = 0; n < 3; n += 1) made.push((await ground.clients.create({ name: unique() })).id)
    const admin = await ground.server.as('administrator')
    const seen = await openPage(ground.server.url, admin)
    await ground.clients.bulk({ action: 'delete', selection: { ids: made } })
    const gone = (told: string[]) => told.filter((line) => line.startsWith('clients deleted'))
    await expect.poll(() => gone(page.told()).length).toBeGreaterThan(0)
    await expect.poll(() => gone(seen.told()).length).toBeGreaterThan(0)
    await page.close()
    await seen.close()
  })
})
