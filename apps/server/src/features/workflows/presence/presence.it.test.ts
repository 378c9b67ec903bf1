import { HttpTransportType, HubConnectionBuilder, LogLevel, type HubConnection } from '@microsoft/signalr'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { HubEnvelope } from '@weft/contract/core/events'
import type { Rule } from '@weft/contract/core/permissions'
import { projects } from '@weft/contract/projects/api'
import { viewing } from '@weft/contract/viewing/api'
import { presenceMessageSchema } from '@weft/contract/workflows/presence'
import { workflows } from '@weft/contract/workflows/api'
import { newId } from '../../../kit/record.ts'
import type { TestPerson } from '../../../testing/people.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let second: TestServer
let ann: TestPerson
let ben: TestPerson

const ALL: Rule = { action: ['VIEW'], subject: 'WORKFLOW' }

beforeAll(async () => {
  const settings = { databaseUrl: 'postgres://shared' }
  server = await startTestServer({ settings })
  second = await startTestServer({ settings, database: server.database })
  ann = await server.as('operator', 'ann')
  ben = await server.withRules('ben', [ALL])
})
afterAll(async () => {
  await second.stop()
  await server.stop()
})

const open: HubConnection[] = []
afterEach(async () => {
  for (const connection of open.splice(0)) await connection.stop()
})

/** An open editor of somebody: whom it was told of, and the way to say where its person is. */
async function editor(person: TestPerson, workflowId: string, at = server) {
  const connection = new HubConnectionBuilder()
    .withUrl(`${at.url}/hub`, {
      accessTokenFactory: () => person.token,
      transport: HttpTransportType.WebSockets,
    })
    .configureLogging(LogLevel.None)
    .build()
  const told: string[][] = []
  connection.on('send', ({ method, message }: HubEnvelope) => {
    if (method !== 'workflowPresence') return
    const { people } = presenceMessageSchema.parse(message)
    told.push(people.map(({ displayName, activityIds }) => [displayName, ...activityIds].join(' ')))
  })
  // The server may learn of a change of persons between the two requests of a start; a page would come again too.
  const started = () =>
    connection.start().then(
      () => true,
      () => false,
    )
  await expect.poll(started).toBe(true)
  open.push(connection)
  const present = (activityId: string | null = null, id: string | null = workflowId) =>
    connection.invoke('Present', { workflowId: id, activityId })
  await present()
  return { connection, told, present, now: () => told.at(-1) }
}

const workflow = async () => (await ann.api(workflows).create({ name: 'Shared' })).id

describe('who has a workflow open', () => {
  test('is seen by the others, also through another process, with the step that each has chosen', async () => {
    const id = await workflow()
    const mine = await editor(ann, id)
    await expect.poll(mine.now).toEqual([])
    const theirs = await editor(ben, id, second)
    await expect.poll(mine.now).toEqual(['ben'])
    await expect.poll(theirs.now).toEqual(['ann'])
    await theirs.present('say')
    await expect.poll(mine.now).toEqual(['ben say'])
    await theirs.present(null)
    await expect.poll(mine.now).toEqual(['ben'])
    // Another workflow is another room.
    await theirs.present(null, await workflow())
    await expect.poll(mine.now).toEqual([])
  })

  test('is one person with several tabs, and gone with the last of them', async () => {
    const id = await workflow()
    const mine = await editor(ann, id)
    const [one, two] = [await editor(ben, id), await editor(ben, id, second)]
    await one.present('first')
    await two.present('second')
    await expect.poll(() => mine.now()?.[0]?.split(' ').sort()).toEqual(['ben', 'first', 'second'])
    expect(one.now()).toEqual(['ann'])
    await one.connection.stop()
    await expect.poll(mine.now).toEqual(['ben second'])
    await two.connection.stop()
    await expect.poll(mine.now).toEqual([])
  })

  test('is written down a few times a second at most, and in no history', async () => {
    const id = await workflow()
    const mine = await editor(ann, id)
    const theirs = await editor(ben, id)
    await expect.poll(mine.now).toEqual(['ben'])
    const before = mine.told.length
    const begun = performance.now()
    for (let step = 0; step < 40; step += 1) await theirs.present(`step${step}`)
    await expect.poll(mine.now).toEqual(['ben step39'])
    const quarters = Math.ceil((performance.now() - begun) / 250)
    expect(mine.told.length - before).toBeLessThanOrEqual(quarters + 1)
    const { rows } = await server.deps.db.execute(
      sql`select 1 from event where record_id = ${id} and kind <> 'created'`,
    )
    expect(rows).toEqual([])
  })

  test('forgets the pages of a process that was killed', async () => {
    const id = await workflow()
    await server.deps.db.execute(sql`
      insert into workflow_presence (connection_id, workflow_id, user_id, seen_at)
      values ('lost', ${id}, ${ben.id}, now() - interval '31 seconds')`)
    const mine = await editor(ann, id)
    await expect.poll(mine.now).toEqual([])
  })
})

describe('somebody who may not see a workflow', () => {
  test('is not let in', async () => {
    const stranger = await server.withRules('cut', [
      { action: ['VIEW'], subject: 'WORKFLOW', conditions: { ownerId: '${user.id}' } },
    ])
    const id = await workflow()
    const mine = await editor(ann, id)
    await expect(editor(stranger, id)).rejects.toThrow('record.not_found')
    await expect(editor(ben, newId())).rejects.toThrow('record.not_found')
    await expect(mine.connection.invoke('Present', { workflowId: 'x' })).rejects.toThrow()
    expect(mine.now() ?? []).toEqual([])
  })

  test('any more is taken out and told nothing more, at once', async () => {
    const { id: projectId } = await ann.api(projects).create({ name: 'Room' })
    const { id } = await ann.api(workflows).create({ name: 'Moved', projectId })
    const member = await server.withRules('member', [{ ...ALL, conditions: { projectId } }])
    const mine = await editor(ann, id)
    const theirs = await editor(member, id, second)
    await expect.poll(mine.now).toEqual(['member'])
    await expect.poll(theirs.now).toEqual(['ann'])
    await ann.api(workflows).update({ id, version: 1, projectId: null })
    await expect.poll(mine.now).toEqual([])
    await expect.poll(theirs.now).toEqual([])
    const heard = theirs.told.length
    await mine.present('say')
    await editor(ben, id)
    await expect.poll(mine.now).toEqual(['ben'])
    expect(theirs.told).toHaveLength(heard)
    await expect(theirs.present('say')).rejects.toThrow('record.not_found')
  })

  test('since they may do nothing any more is gone too', async () => {
    const id = await workflow()
    const mine = await editor(ann, id)
    const leaving = await server.withRules('leaving', [ALL])
    await editor(leaving, id, second)
    await expect.poll(mine.now).toEqual(['leaving'])
    await server.deps.db.execute(sql`update app_user set status = 'suspended' where id = ${leaving.id}`)
    await server.deps.db.execute(sql`select pg_notify('weft_identity', '')`)
    await expect.poll(mine.now).toEqual([])
  })
})

test('whoever looks on as somebody sees who is there, and puts nobody there', async () => {
  const id = await workflow()
  const admin = await server.as('administrator', 'root')
  const mine = await editor(ann, id)
  await expect.poll(mine.now).toEqual([])
  await admin.api(viewing).start({ id: ben.id, reason: 'A question' })
  const looking = await editor(admin, id)
  await expect.poll(looking.now).toEqual(['ann'])
  await editor(ben, id)
  await expect.poll(mine.now).toEqual(['ben'])
  await expect.poll(looking.now).toEqual(['ann', 'ben'])
  await admin.api(viewing).stop({})
})
