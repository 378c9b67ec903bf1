import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { devices } from '@weft/contract/devices/api'
import { profiles } from '@weft/contract/profiles/api'
import type { HandAgent } from './testing/hand-agent.ts'
import { Ground, unique } from './testing/ground.ts'

let ground: Ground
let agent: HandAgent
let profileId: string

beforeAll(async () => {
  ground = await Ground.open()
  agent = await ground.agent()
  const made = await ground.person.api(profiles).create({ name: unique(), browserType: 'chromium' })
  profileId = made.id
})
afterAll(async () => {
  await agent.leave()
  await ground.server.stop()
})

/** Runs one item with this account on the profile, keeping a session of these words; gives what it began with. */
async function runWith(accountId: string, keep: string | null) {
  const id = await ground.draft([accountId], [agent], { pairing: { per: 'account', profile: 'turn' } })
  await ground.campaigns.addProfiles({ campaignId: id, selection: { ids: [profileId] } })
  await ground.begin(id)
  const holder = await agent.begin()
  const began = holder.job.profile?.snapshot ?? null
  if (keep === null) await agent.finish(holder)
  else {
    const bytes = Buffer.from(keep)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await agent.calls.upload({ sha256, offset: 0, size: bytes.length }, { body: bytes })
    await agent.finish(holder, { snapshot: { sha256, size: bytes.length } })
  }
  await ground.reaches(id, 'finished')
  return began
}

const keptAs = (words: string) => ({
  sha256: createHash('sha256').update(words).digest('hex'),
  size: words.length,
})

it('keeps what a profile holds of each account apart', async () => {
  const [first, second] = [await ground.account(), await ground.account()]
  expect(await runWith(first, 'signed in as the first')).toBeNull()
  // The same browser, another account: it must not begin signed in as the first.
  expect(await runWith(second, 'signed in as the second')).toBeNull()
  expect(await runWith(first, null)).toEqual(keptAs('signed in as the first'))
  expect(await runWith(second, 'and once more')).toEqual(keptAs('signed in as the second'))
  expect(await runWith(second, null)).toEqual(keptAs('and once more'))
  const shown = await ground.person.api(profiles).get({ id: profileId })
  expect(shown).toMatchObject({ status: 'ready', snapshot: { size: 'and once more'.length } })
})

it('forgets a session when its account becomes somebody else', async () => {
  const id = await ground.account()
  await runWith(id, 'signed in by the old name')
  const { version } = await ground.accounts.get({ id })
  await ground.accounts.update({ id, version, username: unique() })
  expect(await runWith(id, null)).toBeNull()
})

it('gives a profile the device that somebody made; what the profile says itself comes first', async () => {
  const device = await ground.person.api(devices).create({
    name: unique(),
    viewport: { width: 600, height: 400 },
    touch: true,
    userAgent: 'Till/1.0',
    locale: 'fr-FR',
    timeZone: 'Europe/Paris',
    colorScheme: 'dark',
  })
  const calls = ground.person.api(profiles)
  const made = await calls.create({ name: unique(), deviceId: device.id, locale: 'en-GB' })
  const id = await ground.draft([], [agent], { pairing: { per: 'profile' } })
  await ground.campaigns.addProfiles({ campaignId: id, selection: { ids: [made.id] } })
  await ground.begin(id)
  const run = await agent.begin()
  expect(run.job.profile).toMatchObject({
    locale: 'en-GB',
    timeZone: 'Europe/Paris',
    device: {
      viewport: { width: 600, height: 400 },
      scale: 1,
      touch: true,
      mobile: false,
      userAgent: 'Till/1.0',
      colorScheme: 'dark',
    },
  })
  await agent.finish(run)
  await ground.reaches(id, 'finished')
})
