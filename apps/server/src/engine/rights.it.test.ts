import { afterAll, beforeAll, expect, it } from 'vitest'
import { files } from '@weft/contract/files/api'
import { videos } from '@weft/contract/videos/api'
import { Ground, unique } from './testing/ground.ts'

let ground: Ground

beforeAll(async () => {
  ground = await Ground.open()
})
afterAll(() => ground.server.stop())

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

it('a video is used as long as there are rights to it, and its list tells how long that is', async () => {
  const api = ground.person.api(videos)
  const make = async (rightsUntil: string | null) => {
    const body = new Uint8Array(Buffer.from('0000ftypisom'))
    const { id: fileId } = await ground.person.api(files).upload({ name: 'v.mp4' }, { body })
    return (await api.create({ title: unique(), rightsUntil, fileId })).id
  }
  const [over, near, far, endless] = [
    await make(inDays(-1)),
    await make(inDays(3)),
    await make(inDays(90)),
    await make(null),
  ]
  const found = async (...rightsEnd: ('expired' | 'soon' | 'later' | 'never')[]) =>
    (await api.list({ rightsEnd, sortBy: 'rightsUntil' })).data.map(({ id }) => id)
  expect(await found('expired')).toEqual([over])
  expect(await found('soon', 'later')).toEqual([near, far])
  expect(await found('never')).toEqual([endless])
  const agent = await ground.agent(1)
  const id = await ground.draft(await ground.accountsOf(2), [agent], {
    pairing: { per: 'account', account: 'none', profile: 'none', proxy: 'none', phone: 'none', video: 'one' },
  })
  await ground.campaigns.addVideos({ campaignId: id, selection: { ids: [over, far, near] } })
  const plan = await ground.campaigns.plan({ id })
  expect(plan.exclusions).toMatchObject([
    { id: over, code: 'plan.video_not_ready', params: { status: 'rights_expired' } },
  ])
  await ground.begin(id)
  const holder = await agent.begin()
  const { version } = await api.get({ id: near })
  await api.update({ id: near, version, rightsUntil: inDays(-1) })
  await agent.finish(holder)
  await agent.nothing()
  expect(await ground.waits(id)).toEqual({ 2: ['wait.video_rights'] })
  const now = await api.get({ id: near })
  await api.update({ id: near, version: now.version, rightsUntil: null, licence: 'CC BY 4.0' })
  await agent.finish(await agent.begin())
  await ground.reaches(id, 'finished')
  expect((await api.history({ id: near })).data[0]).toMatchObject({ after: { licence: 'CC BY 4.0' } })
  await agent.leave()
})
