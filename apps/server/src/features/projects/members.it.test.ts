import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaigns } from '@weft/contract/campaigns/api'
import { projects } from '@weft/contract/projects/api'
import type { MemberRole } from '@weft/contract/projects/members'
import { runs } from '@weft/contract/runs/api'
import { workflows } from '@weft/contract/workflows/api'
import { emptyDocument } from '@weft/workflow/document'
import { encodeDocument } from '@weft/workflow/state-codec'
import { Ground, refusal, unique } from '../../engine/testing/ground.ts'
import type { TestPerson } from '../../testing/people.ts'

let ground: Ground
let projectId: string
let workflowId: string
let campaignId: string

const draft = {
  ...encodeDocument({
    ...emptyDocument(),
    start: 'say',
    activities: [{ id: 'say', type: 'log', typeVersion: 1, state: { message: 'hello' } }],
  }),
}

beforeAll(async () => {
  ground = await Ground.open()
  projectId = (await ground.person.api(projects).create({ name: unique() })).id
  const flow = await ground.person.api(workflows).create({ name: unique(), projectId, draft })
  await ground.person.api(workflows).publish({ id: flow.id, version: flow.version })
  workflowId = flow.id
  const made = await ground.campaigns.create({ title: unique(), workflowId, projectId })
  campaignId = made.id
})
afterAll(() => ground.server.stop())

/** Somebody without any right of their own, but for this role in the project. */
async function memberAs(role: MemberRole): Promise<TestPerson> {
  const person = await ground.server.withRules(unique(), [])
  await ground.person.api(projects).setMember({ id: projectId, username: person.username, role })
  return person
}

const see = async (person: TestPerson) => ({
  projects: (await person.api(projects).list({})).data.map(({ id }) => id),
  workflows: (await person.api(workflows).list({})).data.map(({ id }) => id),
  campaigns: (await person.api(campaigns).list({})).data.map(({ id }) => id),
})

describe('a role in a project', () => {
  test('shows the project with what is in it, and no other', async () => {
    const elsewhere = await ground.person.api(projects).create({ name: unique() })
    await ground.person.api(workflows).create({ name: unique(), projectId: elsewhere.id })
    const stranger = await ground.server.as('operator', unique())
    expect(await see(stranger)).toEqual({ projects: [], workflows: [], campaigns: [] })
    const viewer = await memberAs('viewer')
    expect(await see(viewer)).toEqual({
      projects: [projectId],
      workflows: [workflowId],
      campaigns: [campaignId],
    })
    expect(await refusal(viewer.api(projects).get({ id: elsewhere.id }))).toBe('404 record.not_found')
    expect((await viewer.api(projects).get({ id: projectId })).can).toEqual(['export'])
  })

  test('lets a viewer change nothing, an editor workflows, an operator campaigns, a manager all', async () => {
    const tries = async (role: MemberRole) => {
      const person = await memberAs(role)
      const flow = await person.api(workflows).get({ id: workflowId })
      const plan = await person.api(campaigns).get({ id: campaignId })
      return [
        await refusal(person.api(workflows).update({ id: workflowId, version: flow.version, notes: role })),
        await refusal(person.api(campaigns).update({ id: campaignId, version: plan.version, notes: role })),
        await refusal(person.api(projects).setSecret({ id: projectId, name: 'KEY', value: role })),
      ]
    }
    const [no, yes] = ['403 access.denied', 'no error']
    expect(await tries('viewer')).toEqual([no, no, no])
    expect(await tries('editor')).toEqual([yes, no, no])
    expect(await tries('operator')).toEqual([no, yes, no])
    expect(await tries('manager')).toEqual([yes, yes, yes])
  })

  test('reaches the runs of its campaigns', async () => {
    const agent = await ground.agent()
    const id = await ground.campaign(1, [agent], { workflowId, projectId })
    const holder = await agent.begin()
    const viewer = await memberAs('viewer')
    expect((await viewer.api(runs).list({ campaignId: id })).totalRecord).toBe(1)
    expect(await refusal(viewer.api(runs).cancel({ id: holder.runId }))).toBe('403 access.denied')
    const stranger = await ground.server.as('operator', unique())
    expect((await stranger.api(runs).list({})).totalRecord).toBe(0)
    const operator = await memberAs('operator')
    expect((await operator.api(runs).get({ id: holder.runId })).can).toContain('cancel')
    await agent.finish(holder)
    await ground.reaches(id, 'finished')
    await agent.leave()
  })

  test('holds for what members make there, and only there', async () => {
    const editor = await memberAs('editor')
    const calls = editor.api(workflows)
    const made = await calls.create({ name: unique(), projectId })
    expect((await ground.person.api(workflows).get({ id: made.id })).ownerId).toBe(editor.id)
    expect(await refusal(calls.create({ name: unique() }))).toBe('403 access.denied')
    const taken = calls.update({ id: workflowId, version: 1, projectId: null })
    expect(await refusal(taken)).toMatch(/^(403 access.denied|409 record.stale)$/)
    expect(await refusal(editor.api(campaigns).create({ title: unique(), projectId }))).toBe(
      '403 access.denied',
    )
    // A person with rights of their own does not put things into a project that they only look at.
    const ben = await ground.server.as('operator', unique())
    await ground.person.api(projects).setMember({ id: projectId, username: ben.username, role: 'viewer' })
    expect(await refusal(ben.api(workflows).create({ name: unique(), projectId }))).toBe(
      '403 project.not_yours',
    )
    const own = await ben.api(workflows).create({ name: unique() })
    const moved = ben.api(workflows).update({ id: own.id, version: own.version, projectId })
    expect(await refusal(moved)).toBe('403 project.not_yours')
  })

  test('ends at once when it is taken back, and one may leave', async () => {
    const viewer = await memberAs('viewer')
    await ground.person.api(projects).removeMember({ id: projectId, username: viewer.username })
    expect(await see(viewer).catch((error: unknown) => String(error))).toMatch(
      /not allowed|denied|do not have/i,
    )
    const other = await memberAs('editor')
    await other.api(projects).removeMember({ id: projectId, username: other.username })
    expect(await refusal(other.api(projects).get({ id: projectId }))).toBe('403 access.denied')
  })
})

describe('giving a role', () => {
  test('is for who may do all of it there', async () => {
    const somebody = await ground.server.withRules(unique(), [])
    const give = (person: TestPerson, role: MemberRole) =>
      refusal(person.api(projects).setMember({ id: projectId, username: somebody.username, role }))
    expect(await give(await memberAs('editor'), 'viewer')).toBe('403 access.denied')
    // May change the project, and see what is in it, but not run its campaigns.
    const partly = await ground.server.withRules(unique(), [
      { action: ['VIEW', 'UPDATE'], subject: ['PROJECT', 'WORKFLOW'] },
      { action: 'VIEW', subject: 'CAMPAIGN' },
    ])
    expect(await give(partly, 'operator')).toBe('403 project.beyond_own')
    expect(await give(partly, 'viewer')).toBe('no error')
    expect(await give(await memberAs('manager'), 'manager')).toBe('no error')
    const owner = { id: projectId, username: ground.person.username, role: 'viewer' } as const
    expect(await refusal(ground.person.api(projects).setMember(owner))).toBe('409 project.owner_stays')
    const nobody = { id: projectId, username: 'nobody at all', role: 'viewer' } as const
    expect(await refusal(ground.person.api(projects).setMember(nobody))).toBe('422 link.not_found')
  })

  test('never goes beyond those above: a sub-user is in it only with the person above them', async () => {
    const above = await ground.server.as('operator', unique())
    const below = await ground.server.as('operator', unique())
    await ground.server.deps.db.execute(
      sql`update app_user set parent_id = ${above.id} where id = ${below.id}`,
    )
    const calls = ground.person.api(projects)
    const invite = (who: TestPerson, role: MemberRole) =>
      refusal(calls.setMember({ id: projectId, username: who.username, role }))
    expect(await invite(below, 'editor')).toBe('409 project.member_bound')
    expect(await invite(above, 'viewer')).toBe('no error')
    expect(await invite(below, 'editor')).toBe('409 project.member_bound')
    expect(await invite(below, 'viewer')).toBe('no error')
    expect((await see(below)).projects).toEqual([projectId])
    await calls.removeMember({ id: projectId, username: above.username })
    expect((await see(below)).projects).toEqual([])
  })

  test('keeps the owner as a manager, also a new one', async () => {
    const calls = ground.person.api(projects)
    const made = await calls.create({ name: unique() })
    const [ben, cleo] = [
      await ground.server.as('operator', unique()),
      await ground.server.as('operator', unique()),
    ]
    await calls.setMember({ id: made.id, username: ben.username, role: 'editor' })
    const theirs = await ben.api(workflows).create({ name: unique(), projectId: made.id })
    expect((await ground.person.api(workflows).get({ id: theirs.id })).can).toContain('update')
    expect(
      (await calls.members({ id: made.id })).map(({ userId, role, isOwner }) => [userId, role, isOwner]),
    ).toEqual([
      [ground.person.id, 'manager', true],
      [ben.id, 'editor', false],
    ])
    await ground.server.deps.db.execute(sql`update project set owner_id = ${cleo.id} where id = ${made.id}`)
    await ground.server.deps.db.execute(sql`select pg_notify('weft_identity', '')`)
    const now = await cleo.api(projects).members({ id: made.id })
    expect(now.find(({ isOwner }) => isOwner)).toMatchObject({ userId: cleo.id, role: 'manager' })
    expect(now).toHaveLength(3)
  })
})

test('what somebody sees by a role is found along the indexes', async () => {
  const plan = await ground.server.deps.db.transaction(async (tx) => {
    await tx.execute(sql`insert into workflow (id, name, draft, draft_hash)
      select gen_random_uuid(), 'one of many ' || n, '{}', '' from generate_series(1, 3000) n`)
    await tx.execute(sql`analyze workflow`)
    const found = await tx.execute<{ 'QUERY PLAN': string }>(sql`explain select id from workflow
      where (owner_id in (${ground.person.id}::uuid) or project_id in (${projectId}::uuid)) and deleted_at is null`)
    await tx.execute(sql`delete from workflow where draft = '{}'`)
    return found.rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toContain('workflow_by_project')
})

describe('a project that is closed', () => {
  test.each(['frozen', 'archived'] as const)(
    '%s: nothing in it changes or starts, and what runs goes on',
    async (status) => {
      const calls = ground.person.api(projects)
      const made = await calls.create({ name: unique() })
      const flow = await ground.person.api(workflows).create({ name: unique(), projectId: made.id, draft })
      await ground.person.api(workflows).publish({ id: flow.id, version: flow.version })
      const outside = await ground.person.api(workflows).create({ name: unique(), draft })
      const agent = await ground.agent(2)
      const running = await ground.campaign(1, [agent], { workflowId: flow.id, projectId: made.id })
      const holder = await agent.begin()
      const waiting = await ground.draft([await ground.account()], [agent], {
        workflowId: flow.id,
        projectId: made.id,
        schedule: { mode: 'at', at: new Date(Date.now() + 1500).toISOString(), timeZone: 'UTC' },
      })
      await ground.campaigns.start({ id: waiting })
      const { version } = await calls.get({ id: made.id })
      const closed = await calls.update({ id: made.id, version, status })
      const code = `409 project.${status}`
      const flows = ground.person.api(workflows)
      const now = await flows.get({ id: flow.id })
      expect(now.cannot).toMatchObject({ update: `project.${status}`, publish: `project.${status}` })
      const accountId = await ground.account()
      const zoe = await ground.server.as('operator', 'zoe')
      const refused = [
        () => flows.update({ id: flow.id, version: now.version, notes: 'x' }),
        () => flows.publish({ id: flow.id, version: now.version }),
        () => flows.remove({ id: flow.id }),
        () => flows.create({ name: unique(), projectId: made.id }),
        () => flows.update({ id: outside.id, version: outside.version, projectId: made.id }),
        () => ground.campaigns.create({ title: unique(), projectId: made.id }),
        () => ground.campaigns.copy({ id: running }),
        () => ground.campaigns.addAccounts({ campaignId: running, selection: { ids: [accountId] } }),
        () => calls.update({ id: made.id, version: closed.version, name: 'Other' }),
        () => calls.setSecret({ id: made.id, name: 'A', value: 'x' }),
        () =>
          calls.setMember({
            id: made.id,
            username: zoe.username,
            role: 'viewer',
          }),
      ]
      for (const call of refused) expect(await refusal(call())).toBe(code)
      await agent.finish(holder)
      await ground.reaches(running, 'finished')
      // Its time came meanwhile.
      await ground.reaches(waiting, 'draft')
      expect((await ground.campaignOf(waiting)).stateReason).toBe('project_closed')
      expect(await refusal(ground.campaigns.start({ id: waiting }))).toBe(code)
      const listed = async () => ({
        projects: (await calls.list({ q: made.name })).totalRecord,
        workflows: (await flows.list({ q: flow.name })).totalRecord,
      })
      const shown = status === 'archived' ? 0 : 1
      expect(await listed()).toEqual({ projects: shown, workflows: shown })
      expect((await calls.list({ q: made.name, status: [status] })).totalRecord).toBe(1)
      expect((await flows.list({ projectId: made.id })).totalRecord).toBe(1)
      await calls.update({ id: made.id, version: closed.version, status: 'active' })
      await flows.update({ id: flow.id, version: now.version, notes: 'again' })
      await agent.leave()
    },
  )
})
