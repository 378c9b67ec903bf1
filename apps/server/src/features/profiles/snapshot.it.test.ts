import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { profiles } from '@weft/contract/profiles/api'
import { Ground } from '../../engine/testing/ground.ts'

let ground: Ground

beforeAll(async () => {
  ground = await Ground.open()
})
afterAll(() => ground.server.stop())

it('a profile that a run brings back is kept as what it is, and given to the next run of the account', async () => {
  const agent = await ground.agent()
  const profile = await ground.person.api(profiles).create({ name: 'kept' })
  const account = await ground.account({ profileId: profile.id })
  await ground.campaign([account], [agent])
  const holder = await agent.begin()
  const bytes = gzipSync(JSON.stringify({ format: 'weft-profile', version: 1 }))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const part = { sha256, offset: 0, size: bytes.length }
  expect(await agent.calls.upload(part, { body: bytes })).toMatchObject({ complete: true })
  await agent.finish(holder, { snapshot: { sha256, size: bytes.length } })

  const kept = await ground.rows(
    sql`select name, content_type from file where purpose = 'snapshot'`,
    z.object({ name: z.string(), content_type: z.string() }),
  )
  expect(kept).toEqual([{ name: 'profile.json.gz', content_type: 'application/gzip' }])

  await ground.campaign([account], [agent])
  const next = await agent.begin()
  expect(next.job.profile?.snapshot).toMatchObject({ sha256, size: bytes.length })
  const given = await agent.calls.snapshot({ id: next.runId, leaseToken: next.leaseToken })
  expect(JSON.parse(gunzipSync(Buffer.from(await given.arrayBuffer())).toString())).toMatchObject({
    format: 'weft-profile',
  })
  await agent.leave()
})
