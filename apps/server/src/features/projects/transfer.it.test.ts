import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projects } from '@weft/contract/projects/api'
import { projectInsight } from '@weft/contract/projects/insight-api'
import { projectTransfer } from '@weft/contract/projects/transfer-api'
import { projectFile } from '@weft/contract/projects/transfer'
import { workflowTests } from '@weft/contract/workflow-tests/api'
import { workflows } from '@weft/contract/workflows/api'
import { emptyDocument, type Activity } from '@weft/workflow/document'
import { encodeDocument } from '@weft/workflow/state-codec'
import { Ground, refusal, unique } from '../../engine/testing/ground.ts'

/** All calls of projects in one. */
const WHOLE = { ...projects, ...projectTransfer, ...projectInsight }

let ground: Ground

beforeAll(async () => {
  ground = await Ground.open()
})
afterAll(() => ground.server.stop())

const draftOf = (...activities: Pick<Activity, 'id' | 'type' | 'state'>[]) => ({
  ...encodeDocument({
    ...emptyDocument(),
    start: activities[0]?.id ?? null,
    activities: activities.map((activity) => ({ typeVersion: 1, ...activity })),
    connections: activities.slice(1).map(({ id }, index) => ({
      from: activities[index]?.id ?? '',
      outcome: 'done',
      to: id,
    })),
  }),
})
const say = (message: string) => ({ id: 'say', type: 'log', state: { message } })

/** A project with a variable, a secret, a published workflow that uses both, and one that calls it. */
async function harbour() {
  const calls = ground.person.api(WHOLE)
  const flows = ground.person.api(workflows)
  const made = await calls.create({ name: unique(), description: 'Notices', colour: '#2f78e0' })
  const variables = [{ name: 'host', type: 'string' as const, value: 'shop' }]
  const whole = await calls.update({ id: made.id, version: made.version, variables })
  await calls.setSecret({ id: made.id, name: 'KEY', value: 'not in any file 4711', description: 'Door' })
  const draft = draftOf(say('{{ project.host }} {{ secrets.KEY }}'))
  const inner = await flows.create({ name: 'Inner', projectId: made.id, draft, tags: ['a'] })
  await flows.publish({ id: inner.id, version: inner.version, changelog: 'First' })
  await ground.person.api(workflowTests).save({
    workflowId: inner.id,
    name: 'Says it',
    resources: { accountId: await ground.account() },
    expectedResult: 'failed',
    expectations: [{ label: 'Word', expression: 'outputs.word === "shop"' }],
  })
  const call = { id: 'call', type: 'call-workflow', state: { workflowId: inner.id } }
  const outer = await flows.create({ name: 'Outer', projectId: made.id, draft: draftOf(call) })
  return { calls, flows, project: whole, inner, outer }
}

describe('moving and copying', () => {
  test('says first what the other project lacks, and does it anyway when asked to', async () => {
    const { calls, flows, inner, outer } = await harbour()
    const other = await calls.create({ name: unique() })
    const lacks = await calls.lacks({ id: other.id, workflowIds: [inner.id, outer.id] })
    expect(lacks.map(({ workflowName, kind, name }) => [workflowName, kind, name])).toEqual([
      ['Inner', 'variable', 'host'],
      ['Inner', 'secret', 'KEY'],
    ])
    const take = { id: other.id, workflowIds: [outer.id, inner.id], copy: false }
    expect(await refusal(calls.takeWorkflows(take))).toBe('409 project.lacks')
    await calls.takeWorkflows({ ...take, anyway: true })
    const moved = await flows.get({ id: inner.id })
    expect(moved).toMatchObject({ projectId: other.id, publishedRelease: 1 })
    expect(moved.problems.map(({ code }) => code)).toEqual([
      'expression.unknown_project_variable',
      'expression.unknown_secret',
    ])
  })

  test('copies call each other and not those that they were copied of', async () => {
    const { calls, flows, project, inner, outer } = await harbour()
    const { workflowIds } = await calls.takeWorkflows({
      id: project.id,
      workflowIds: [outer.id, inner.id],
      copy: true,
    })
    const [outerCopy = '', innerCopy = ''] = workflowIds
    const copy = await flows.get({ id: outerCopy })
    expect(copy).toMatchObject({ name: 'Outer', projectId: project.id, publishedRelease: null })
    const state: unknown = JSON.parse(Buffer.from(copy.draft.activities[0]?.state ?? '', 'base64').toString())
    expect(state).toEqual({ workflowId: innerCopy })
    expect((await flows.get({ id: inner.id })).projectId).toBe(project.id)
    const tests = ground.person.api(workflowTests)
    const [before] = await tests.list({ workflowId: inner.id })
    const [after, ...more] = await tests.list({ workflowId: innerCopy })
    expect(more).toEqual([])
    const { name, resources, expectedResult, expectations } = before ?? {}
    expect(after).toMatchObject({ name, resources, expectedResult, expectations, version: 1, last: null })
    expect(after?.id).not.toBe(before?.id)
  })

  test('is for who may change the workflow and make workflows there', async () => {
    const { calls, inner, project } = await harbour()
    const ben = await ground.server.as('operator', unique())
    const theirs = await ben.api(WHOLE).create({ name: unique() })
    const take = { id: theirs.id, workflowIds: [inner.id], copy: false, anyway: true }
    expect(await refusal(ben.api(WHOLE).takeWorkflows(take))).toBe('404 record.not_found')
    await calls.setMember({ id: project.id, username: ben.username, role: 'viewer' })
    expect(await refusal(ben.api(WHOLE).takeWorkflows(take))).toBe('403 access.denied')
    expect(await refusal(ben.api(WHOLE).takeWorkflows({ ...take, id: project.id, copy: true }))).toBe(
      '403 project.not_yours',
    )
    expect(await refusal(ben.api(WHOLE).takeWorkflows({ ...take, copy: true }))).toBe('no error')
  })
})

describe('a project as a file', () => {
  const read = async (id: string) => {
    const answer = await ground.person.api(WHOLE).export({ id })
    return projectFile.parse(JSON.parse(await answer.text()))
  }
  const plain = ({ exportedAt: _at, workflows: list, ...head }: Awaited<ReturnType<typeof read>>) => {
    const order = new Map(list.map(({ id }, index) => [id, `workflow ${index}`]))
    const text = JSON.stringify({
      head,
      list: list.map(({ releases, ...one }) => ({
        ...one,
        releases: releases.map(({ createdAt: _createdAt, ...release }) => release),
      })),
    })
    return [...order].reduce((all, [id, name]) => all.replaceAll(id, name), text)
  }

  test('is the same again after it was taken in and written out, without the secrets’ values', async () => {
    const { calls, flows, project } = await harbour()
    const file = await read(project.id)
    expect(JSON.stringify(file)).not.toContain('4711')
    expect(file.project.secrets).toEqual([{ name: 'KEY', description: 'Door' }])
    const report = await calls.import({ file })
    expect(report).toMatchObject({ workflows: 2, releases: 1, secrets: ['KEY'], leftOut: [] })
    expect(report.missing.map(({ workflowName, kind, name }) => [workflowName, kind, name])).toEqual([
      ['Inner', 'secret', 'KEY'],
    ])
    await calls.setSecret({ id: report.projectId, name: 'KEY', value: 'another', description: 'Door' })
    expect(plain(await read(report.projectId))).toBe(plain(file))
    const taken = (await flows.list({ projectId: report.projectId })).data
    for (const { id } of taken) expect((await flows.get({ id })).problems).toEqual([])
    const came = await ground.person
      .api(workflowTests)
      .list({ workflowId: taken.find(({ name }) => name === 'Inner')?.id ?? '' })
    expect(came).toMatchObject([{ name: 'Says it', resources: {}, expectedResult: 'failed', last: null }])
    const agent = await ground.agent()
    const innerId = taken.find(({ name }) => name === 'Inner')?.id ?? ''
    const campaignId = await ground.campaign(1, [agent], { workflowId: innerId })
    const holder = await agent.begin()
    expect(holder.job.project?.variables).toEqual({ host: 'shop' })
    await agent.finish(holder)
    await ground.reaches(campaignId, 'finished')
    await agent.leave()
  })

  test('is taken in without its releases by somebody who may not publish', async () => {
    const { project } = await harbour()
    const file = await read(project.id)
    const eve = await ground.server.withRules(unique(), [
      { action: ['VIEW', 'CREATE', 'IMPORT'], subject: 'PROJECT' },
      { action: ['VIEW', 'CREATE'], subject: 'WORKFLOW' },
    ])
    const report = await eve.api(WHOLE).import({ file })
    expect(report).toMatchObject({
      workflows: 2,
      releases: 0,
      leftOut: [{ workflowName: 'Inner', number: 1 }],
    })
  })

  test('waits for a release that is being withdrawn, and comes without the one that calls it', async () => {
    const { calls, flows } = await harbour()
    const outside = await flows.create({ name: 'Outside', draft: draftOf(say('one')) })
    await flows.publish({ id: outside.id, version: outside.version })
    const made = await calls.create({ name: unique() })
    for (const [name, number] of [
      ['By number', { release: 1 }],
      ['Newest', {}],
    ] as const) {
      const call = { id: 'call', type: 'call-workflow', state: { workflowId: outside.id, ...number } }
      const caller = await flows.create({ name, projectId: made.id, draft: draftOf(call) })
      await flows.publish({ id: caller.id, version: caller.version })
    }
    const file = await read(made.id)
    expect(await calls.import({ file })).toMatchObject({ releases: 2, leftOut: [] })
    const { asked } = await ground.server.deps.db.transaction(async (tx) => {
      await tx.execute(sql`update workflow set published_release = null where id = ${outside.id}`)
      await tx.execute(
        sql`update workflow_release set withdrawn_at = now() where workflow_id = ${outside.id}`,
      )
      const importing = calls.import({ file })
      expect(await Promise.race([importing, setTimeout(150, 'waits')])).toBe('waits')
      return { asked: importing }
    })
    const { releases, leftOut } = await asked
    expect([releases, leftOut.map(({ workflowName }) => workflowName).toSorted()]).toEqual([
      0,
      ['By number', 'Newest'],
    ])
  })

  test('comes without what calls a release that is left out, and without what calls that', async () => {
    const { calls, flows } = await harbour()
    const outside = await flows.create({ name: 'Outside', draft: draftOf(say('one')) })
    await flows.publish({ id: outside.id, version: outside.version })
    const made = await calls.create({ name: unique() })
    const calling = async (name: string, state: object) => {
      const call = { id: 'call', type: 'call-workflow', state: { ...state } }
      const flow = await flows.create({ name, projectId: made.id, draft: draftOf(call) })
      await flows.publish({ id: flow.id, version: flow.version })
      return flow.id
    }
    const last = await calling('Last', { workflowId: outside.id })
    const middle = await calling('Middle', { workflowId: last, release: 1 })
    await calling('First', { workflowId: middle })
    const sound = await flows.create({ name: 'Sound', projectId: made.id, draft: draftOf(say('two')) })
    await flows.publish({ id: sound.id, version: sound.version })
    await calling('Apart', { workflowId: sound.id })
    const file = await read(made.id)
    const { db } = ground.server.deps
    await db.execute(sql`update workflow set published_release = null where id = ${outside.id}`)
    await db.execute(sql`update workflow_release set withdrawn_at = now() where workflow_id = ${outside.id}`)
    const { releases, leftOut } = await calls.import({ file })
    expect([releases, leftOut.map(({ workflowName }) => workflowName).toSorted()]).toEqual([
      2,
      ['First', 'Last', 'Middle'],
    ])
    // A release that is not in the file is not there to be called.
    const without = file.workflows.map((one) => (one.name === 'Sound' ? { ...one, releases: [] } : one))
    expect((await calls.import({ file: { ...file, workflows: without } })).releases).toBe(0)
  })

  test('that is none is refused, and leaves nothing behind', async () => {
    const { calls, project } = await harbour()
    const file = await read(project.id)
    const before = (await calls.list({})).totalRecord
    const [first] = file.workflows
    if (!first) throw new Error('the file was to have workflows')
    expect(await refusal(calls.import({ file: { ...file, format: 'other' as 'weft.project' } }))).toBe(
      '422 request.invalid',
    )
    const broken = { ...file, workflows: [first, { ...first, id: project.id, draft: { schemaVersion: 1 } }] }
    expect(await refusal(calls.import({ file: broken }))).toBe('422 project.bad_file')
    expect(await refusal(calls.import({ file: { ...file, workflows: [first, first] } }))).toBe(
      '422 project.bad_file',
    )
    expect((await calls.list({})).totalRecord).toBe(before)
    const ben = (await ground.server.as('operator', unique())).api(WHOLE)
    expect(await refusal(ben.export({ id: project.id }))).toBe('404 record.not_found')
  })
})

describe('what there is to tell of a project', () => {
  test('its releases, who did what, what failed and what has mistakes', async () => {
    const { calls, flows, project, inner } = await harbour()
    expect((await calls.releases({ id: project.id })).data).toMatchObject([
      { workflowName: 'Inner', number: 1, changelog: 'First', isNewest: true },
    ])
    const labels = (await calls.activity({ id: project.id })).data.map(({ label }) => label)
    expect(labels).toContain('project.set_secret')
    expect(labels).toContain('workflow.publish')
    const agent = await ground.agent()
    const campaignId = await ground.campaign(1, [agent], { workflowId: inner.id, projectId: project.id })
    await agent.fail(await agent.begin())
    await ground.reaches(campaignId, 'finished_with_errors')
    await flows.create({ name: 'Wrong', projectId: project.id, draft: draftOf(say('{{ project.none }}')) })
    expect(await calls.health({ id: project.id })).toMatchObject({
      runs: { succeeded: 0, failed: 1 },
      failures: [{ workflowName: 'Inner', errorClass: 'NotFound' }],
      workflows: [{ name: 'Wrong', errors: 1 }],
    })
    const ben = (await ground.server.as('operator', unique())).api(WHOLE)
    for (const call of [ben.health, ben.activity, ben.releases])
      expect(await refusal(call({ id: project.id }))).toBe('404 record.not_found')
    await agent.leave()
  })
})
