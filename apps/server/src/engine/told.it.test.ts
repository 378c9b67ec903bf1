import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { accounts } from '@weft/contract/accounts/api'
import { imports } from '@weft/contract/imports/api'
import { notifications } from '@weft/contract/notifications/api'
import { eventually, Ground } from './testing/ground.ts'
import type { HandAgent } from './testing/hand-agent.ts'

let ground: Ground
let agent: HandAgent

beforeAll(async () => {
  ground = await Ground.open()
})
afterAll(() => ground.server.stop())
beforeEach(async () => {
  agent = await ground.agent()
})
afterEach(() => agent.leave())

/** What the owner was told about a record, the first first. */
const toldOf = async (id: string) => {
  const { data } = await ground.person.api(notifications).list({ perPage: 100 })
  return data
    .filter(({ recordId }) => recordId === id)
    .map(({ kind, params }) => [kind, params])
    .toReversed()
}

it('tells an owner that a campaign finished, well or with errors', async () => {
  const well = await ground.campaign(1, [agent])
  await agent.finish(await agent.begin())
  await ground.reaches(well, 'finished')
  const { title } = await ground.campaignOf(well)
  expect(await toldOf(well)).toEqual([['campaign.finished', { campaign: title, done: 1 }]])

  const badly = await ground.campaign(1, [agent])
  await agent.fail(await agent.begin())
  await ground.reaches(badly, 'finished_with_errors')
  expect(await toldOf(badly)).toEqual([
    ['campaign.finishedWithErrors', { campaign: (await ground.campaignOf(badly)).title, done: 0, failed: 1 }],
  ])
})

it('tells an owner that errors stopped a campaign', async () => {
  const id = await ground.campaign(3, [agent], {
    errors: { attempts: 1, backoffSeconds: 0, stopAfter: 1 },
  })
  await agent.fail(await agent.begin())
  await ground.reaches(id, 'paused')
  expect(await toldOf(id)).toEqual([
    ['campaign.stoppedByErrors', { campaign: (await ground.campaignOf(id)).title, failed: 1 }],
  ])
})

it('tells an owner that an item waits for a decision', async () => {
  const id = await ground.campaign(1, [agent])
  const holder = await agent.begin()
  await agent.tell(holder, 1, { type: 'stepStarted' }, { type: 'intent' })
  await ground.loseLease(holder.runId)
  await ground.itemsReach(id, 'uncertain')
  expect(await toldOf(id)).toEqual([['item.uncertain', { campaign: (await ground.campaignOf(id)).title }]])
})

it('tells who imports that their import finished', async () => {
  const { person } = ground
  const checked = await person
    .api(accounts)
    .import({ fileName: 'people.csv' }, { body: 'username\nann1\nann2\n' })
  const { id } = checked.import
  await person.api(imports).apply({ id, take: 'good' })
  await eventually(async () =>
    expect(await toldOf(id)).toEqual([
      [
        'import.finished',
        {
          records: 'accounts',
          created: expect.any(Number),
          updated: 0,
          skipped: expect.any(Number),
          refused: expect.any(Number),
        },
      ],
    ]),
  )
})
