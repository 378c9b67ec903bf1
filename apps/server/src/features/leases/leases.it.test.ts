import { afterAll, beforeAll, expect, it } from 'vitest'
import { accounts } from '@weft/contract/accounts/api'
import { leases } from '@weft/contract/leases/api'
import { profiles } from '@weft/contract/profiles/api'
import { Ground, eventually } from '../../engine/testing/ground.ts'
import { codeOf } from '../../testing/browser.ts'

let ground: Ground

beforeAll(async () => {
  ground = await Ground.open()
})
afterAll(() => ground.server.stop())

const release = (accountId: string, runId: string) =>
  ground.person.api(leases).releaseAccount({ accountId, runId })

it('ends the run that hangs: its agent is told and refused, and another run takes the account', async () => {
  const [hanging, other] = [await ground.agent(), await ground.agent()]
  const accountId = await ground.account()
  const campaign = await ground.campaign([accountId], [hanging])
  const holder = await hanging.begin()
  expect(await ground.accounts.get({ id: accountId })).toMatchObject({
    status: 'in_use',
    lease: { runId: holder.runId },
    can: expect.arrayContaining(['release']),
    cannot: { delete: 'record.in_use' },
  })
  await ground.campaigns.addClients({ campaignId: campaign, selection: { ids: [other.clientId] } })
  await release(accountId, holder.runId)
  await eventually(async () =>
    expect(hanging.commands).toContainEqual(
      expect.objectContaining({ type: 'cancel', runId: holder.runId, mode: 'now' }),
    ),
  )
  // Whatever the old holder still asks for or tells is refused, and kept as evidence only.
  expect(await hanging.renew(holder)).toMatchObject({ ok: false, code: 'superseded' })
  expect(await hanging.tell(holder, 1, { type: 'intent' })).toMatchObject({ code: 'superseded' })
  expect(await hanging.finish(holder)).toMatchObject({ status: 'superseded' })
  expect(await ground.runs.get({ id: holder.runId })).toMatchObject({
    cycle: 'finished',
    result: 'lost',
    error: { class: 'Released', message: 'The lease was released by ann.' },
    lateReports: [{ kind: 'events' }, { kind: 'finish' }],
  })
  const history = await ground.accounts.history({ id: accountId })
  expect(history.data[0]).toMatchObject({
    label: 'lease.release',
    actorName: 'ann',
    before: { runId: holder.runId },
    after: { runId: null },
  })
  // One that was seen before and is over by now takes nothing from the next holder.
  let next
  await eventually(async () => {
    next = [...(await hanging.offers()), ...(await other.offers())][0]
    expect(next).toBeDefined()
  })
  expect(await codeOf(release(accountId, holder.runId))).toBe('lease.gone')
  expect((await ground.accounts.get({ id: accountId })).lease?.runId).not.toBe(holder.runId)
  await ground.campaigns.cancel({ id: campaign })
  await Promise.all([hanging.leave(), other.leave()])
})

it('leaves an item whose irreversible step may have acted to a person', async () => {
  const agent = await ground.agent()
  const accountId = await ground.account()
  const campaign = await ground.campaign([accountId], [agent])
  const holder = await agent.begin()
  await agent.tell(holder, 1, { type: 'intent' })
  await release(accountId, holder.runId)
  await ground.itemsReach(campaign, 'uncertain')
  await agent.leave()
})

it('is for those who may run with the record, and takes no other kind for it', async () => {
  const agent = await ground.agent()
  const { id: profileId } = await ground.person.api(profiles).create({ name: 'held too' })
  const accountId = await ground.account({ profileId })
  await ground.campaign([accountId], [agent])
  const { runId } = await agent.begin()
  const bob = await ground.neighbour('bob')
  expect(await codeOf(bob.person.api(leases).releaseAccount({ accountId, runId }))).toBe('record.not_found')
  const viewer = await ground.server.as('viewer', 'vic')
  expect(await codeOf(viewer.api(leases).releaseAccount({ accountId, runId }))).toBe('access.denied')
  expect((await viewer.api(accounts).get({ id: accountId })).cannot).toMatchObject({
    release: 'access.denied',
  })
  expect(await codeOf(release(accountId, profileId))).toBe('lease.gone')
  expect(await codeOf(release(await ground.account(), runId))).toBe('lease.gone')
  expect((await ground.runs.get({ id: runId })).cycle).toBe('running')
  await ground.person.api(leases).releaseProfile({ profileId, runId })
  expect((await ground.person.api(profiles).get({ id: profileId })).lease).toBeNull()
  await agent.leave()
})
