import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest'
import { attendedRuns } from '@weft/contract/attended-runs/api'
import { editorBrowsers } from '@weft/contract/editor-browsers/api'
import { decodeFrame, encodeFrame } from '@weft/contract/attended-runs/frame'
import { FRAME_MAX_BYTES, type FrameMeta } from '@weft/contract/attended-runs/schema'
import { openInput } from '@weft/contract/attended-runs/sealed'
import { tokens } from '@weft/contract/access/tokens/api'
import { clientOf, type ClientOf } from '@weft/contract/core/client'
import { files } from '@weft/contract/files/api'
import { profiles } from '@weft/contract/profiles/api'
import { eventually, Ground, refusal, unique } from '../../engine/testing/ground.ts'
import { only, type HandAgent, type Holder } from '../../engine/testing/hand-agent.ts'

let ground: Ground
let agent: HandAgent
let desk: ClientOf<typeof attendedRuns>

beforeAll(async () => {
  ground = await Ground.open()
  desk = ground.person.api(attendedRuns)
})
afterAll(() => ground.server.stop())
beforeEach(async () => {
  agent = await newAgent()
})
afterEach(() => agent.leave())

async function newAgent(of: Ground = ground): Promise<HandAgent> {
  const made = await of.agent()
  await ground.server.deps.db.execute(sql`
    update client set browsers = '[{"type": "chromium", "version": "1"}]' where id = ${made.clientId}`)
  await made.beat()
  return made
}

/** An account with a profile, whose sign-in a site has refused. */
async function needy(of: Ground = ground): Promise<{ accountId: string; profileId: string }> {
  const profile = await of.person
    .api(profiles)
    .create({ name: unique(), startUrls: ['https://site.example/in'] })
  const accountId = await of.account({
    profileId: profile.id,
    password: 'kept-here',
    allowedDomains: ['site.example'],
  })
  await ground.server.deps.db.execute(sql`
    update account set status = 'needs_sign_in', person_reason = 'challenge', person_since = now() where id = ${accountId}`)
  return { accountId, profileId: profile.id }
}

/** Opens the browser of such an account here, as far as its first picture. */
async function opened() {
  const { accountId, profileId } = await needy()
  const run = await desk.open({ accountId, clientId: agent.clientId })
  const holder = await agent.begin()
  await show(holder, 1)
  return { accountId, profileId, id: run.id, holder }
}

const meta = (number: number): FrameMeta => ({
  number,
  width: 800,
  height: 600,
  url: 'https://site.example/in',
  title: 'Sign in',
  tabs: 1,
  notice: null,
  dialog: null,
  secondsLeft: 800,
})
const picture = (number: number, size = 50) =>
  encodeFrame({ meta: meta(number), jpeg: new Uint8Array([0xff, 0xd8, ...new Uint8Array(size)]) })
const show = ({ runId, leaseToken }: Holder, number: number, by = agent) =>
  by.calls.frame({ id: runId, leaseToken }, { body: picture(number) })
const numberOf = async (answer: Promise<Response>) =>
  decodeFrame(new Uint8Array(await (await answer).arrayBuffer()))?.meta.number
const queued = async () => (await desk.queue({ perPage: 100 })).data

/** Ends a run as its agent does after saving. */
async function keep(holder: Holder, expiresAt: string | null = null) {
  const bytes = Buffer.from(unique())
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await agent.calls.upload({ sha256, offset: 0, size: bytes.length }, { body: bytes })
  await agent.finish(holder, { snapshot: { sha256, size: bytes.length, expiresAt } })
}

it('opens an account’s browser, takes it out of the queue once its session was saved', async () => {
  const { accountId, profileId } = await needy()
  expect(await queued()).toEqual([
    expect.objectContaining({ id: accountId, reason: 'challenge', attended: null, can: ['openBrowser'] }),
  ])
  const run = await desk.open({ accountId })
  expect(run).toMatchObject({ accountId, profileId, clientId: agent.clientId, state: 'waiting', mine: true })
  const holder = await agent.begin()
  expect(holder.job).toMatchObject({
    workflow: null,
    campaign: null,
    attended: { url: 'https://site.example/in', seconds: 900 },
    account: { id: accountId, secrets: [] },
    profile: { id: profileId, snapshot: null },
    allowedDomains: ['site.example'],
  })
  expect(await refusal(agent.calls.secret({ ...bare(holder), handle: 'account.password' }))).toBe(
    '404 record.not_found',
  )
  expect((await desk.get({ id: run.id })).state).toBe('starting')
  await show(holder, 1)
  expect(await desk.get({ id: run.id })).toMatchObject({
    state: 'open',
    can: ['look', 'input', 'prolong', 'save', 'discard'],
  })
  expect(only(await queued())).toMatchObject({ attended: { id: run.id, mine: true, state: 'open' } })
  expect(await ground.accounts.get({ id: accountId })).toMatchObject({
    lease: { runId: run.id, campaignId: null },
  })

  await desk.finish({ id: run.id, save: true })
  // The order comes again with the heartbeat, should the stream have lost it.
  expect(await agent.beat()).toContainEqual(
    expect.objectContaining({ type: 'attended', runId: run.id, save: true }),
  )
  expect((await desk.get({ id: run.id })).state).toBe('saving')
  await keep(holder)
  expect(await desk.get({ id: run.id })).toMatchObject({ state: 'saved', can: [] })
  expect(await ground.accounts.get({ id: accountId })).toMatchObject({
    status: 'ready',
    lease: null,
    lastError: null,
  })
  expect(await queued()).toEqual([])
  expect(await ground.runs.get({ id: run.id })).toMatchObject({
    workflowId: null,
    release: null,
    result: 'succeeded',
  })
  expect(await ground.rows(sql`select 1 from attended_frame`, z.unknown())).toEqual([])
})

it('shows the newest picture as soon as it is there, to who has it in hand or looks on', async () => {
  const { id, holder } = await opened()
  expect(await numberOf(desk.frame({ id }))).toBe(1)
  const waiting = numberOf(desk.frame({ id, after: 1 }))
  await new Promise((resolve) => setTimeout(resolve, 50))
  await show(holder, 2)
  expect(await waiting).toBe(2)
  // An older one that comes late changes nothing.
  await show(holder, 1)
  expect(await numberOf(desk.frame({ id }))).toBe(2)

  const administrator = await ground.server.as('administrator', unique())
  const theirs = administrator.api(attendedRuns)
  expect(await refusal(theirs.frame({ id }))).toBe('409 attended.not_yours')
  expect(await theirs.watch({ id })).toMatchObject({ mine: false, can: ['watch'] })
  expect(await numberOf(theirs.frame({ id }))).toBe(2)
  expect(await refusal(theirs.input({ id, events: [{ type: 'text', text: 'x' }] }))).toBe(
    '409 attended.not_yours',
  )
  expect(await refusal(theirs.finish({ id, save: true }))).toBe('409 attended.not_yours')
  expect(await refusal(theirs.takeOver({ id }))).toBe('409 attended.not_away')
  await ground.server.deps.db.execute(
    sql`update attended_run set holder_seen_at = now() - interval '1 minute' where run_id = ${id}`,
  )
  expect(await theirs.takeOver({ id })).toMatchObject({ mine: true })
  expect(await refusal(desk.input({ id, events: [{ type: 'text', text: 'x' }] }))).toBe(
    '409 attended.not_yours',
  )
  const labels = await ground.rows(
    sql`select label, actor_name as who from audit where record_id = ${id} order by at, id`,
    z.object({ label: z.string(), who: z.string() }),
  )
  expect(labels).toEqual([
    { label: 'browser.open', who: 'ann' },
    { label: 'browser.watch', who: administrator.username },
    { label: 'browser.take_over', who: administrator.username },
  ])
  await agent.finish(holder, { result: 'cancelled' })
  expect(await refusal(desk.frame({ id }))).toBe('409 attended.not_yours')
  expect(await refusal(theirs.frame({ id }))).toBe('409 attended.closed')
})

it('brings what a person does to the agent, sealed, and keeps none of it', async () => {
  const { id, holder } = await opened()
  const text = `typed-${unique()}`
  const heard = agent.commands.length
  await desk.input({
    id,
    events: [
      { type: 'text', text },
      { type: 'go', to: 'back' },
    ],
  })
  await eventually(async () => expect(agent.commands.length).toBeGreaterThan(heard))
  const command = agent.commands.find((one) => one.type === 'input' && one.runId === id)
  if (command?.type !== 'input') throw new Error('there is no input')
  expect(JSON.stringify(command)).not.toContain(text)
  expect(await openInput(holder.leaseToken, command.sealed)).toEqual([
    { type: 'text', text },
    { type: 'go', to: 'back' },
  ])
  await expect(openInput('another', command.sealed)).rejects.toThrow()
  expect(await refusal(desk.input({ id, events: [] }))).toBe('422 request.invalid')
  expect(
    await refusal(
      desk.input({ id, events: Array.from({ length: 101 }, () => ({ type: 'text' as const, text })) }),
    ),
  ).toBe('422 request.invalid')
  const tables = await ground.rows(
    sql`select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    z.object({ name: z.string() }),
  )
  for (const { name } of tables)
    expect(
      await ground.rows(sql`select 1 from ${sql.raw(name)} t where t::text like ${`%${text}%`}`, z.unknown()),
      name,
    ).toEqual([])
  await agent.finish(holder, { result: 'cancelled' })
})

it('lets a page be given files of the person, and no others', async () => {
  const { id, holder } = await opened()
  const upload = async (of: Ground, text: string) =>
    (await of.person.api(files).upload({ name: 'note.txt' }, { body: new TextEncoder().encode(text) })).id
  const own = await upload(ground, 'mine')
  const stranger = await ground.neighbour(unique())
  const foreign = await upload(stranger, 'theirs')
  const give = (...fileIds: string[]) => desk.input({ id, events: [{ type: 'files', number: 1, fileIds }] })
  const heard = agent.commands.length
  expect(await give(own)).toEqual({ taken: true })
  await eventually(async () => expect(agent.commands.length).toBeGreaterThan(heard))
  expect(await refusal(give(own, foreign))).toBe('422 link.not_found')
  const given = (...fileIds: string[]) => ({ type: 'files' as const, number: 1, fileIds })
  expect(await desk.input({ id, events: [given(own), given(own)] })).toEqual({ taken: true })
  expect(await refusal(desk.input({ id, events: [given(own), given(foreign)] }))).toBe('422 link.not_found')
  expect(await refusal(give(id))).toBe('422 link.not_found')
  expect(await refusal(give(own, own))).toBe('422 request.invalid')
  expect(await refusal(give(...Array.from({ length: 11 }, () => own)))).toBe('422 request.invalid')
  const bytes = (fileId: string) => agent.calls.inputFile({ ...bareFrame(holder), fileId })
  expect(await (await bytes(own)).text()).toBe('mine')
  expect(await refusal(bytes(foreign))).toBe('404 record.not_found')
  await agent.finish(holder, { result: 'cancelled' })
})

it('gives nothing of a browser to a program that has a token of who opened it', async () => {
  const { id, holder } = await opened()
  const { secret } = await ground.person
    .api(tokens)
    .create({ name: unique(), scopes: [{ subject: 'ACCOUNT', actions: ['VIEW', 'REVEAL'] }], days: 1 })
  const headers = () => ({ authorization: `Bearer ${secret}` })
  const program = clientOf({ ...ground.person.transport, headers }, attendedRuns)
  for (const ask of [
    () => program.frame({ id }),
    () => program.input({ id, events: [{ type: 'text', text: 'x' }] }),
    () => program.prolong({ id }),
    () => program.finish({ id, save: true }),
  ])
    expect(await refusal(ask())).toBe('403 auth.not_by_token')
  await agent.finish(holder, { result: 'cancelled' })
})

it('takes pictures only from the agent that holds the run, and of no more than their size', async () => {
  const { id, holder } = await opened()
  const other = await newAgent()
  expect(await refusal(show(holder, 2, other))).toBe('404 agent.unknown_run')
  expect(await refusal(show({ ...holder, leaseToken: 'stale' }, 2))).toBe('404 agent.unknown_run')
  const send = (body: Uint8Array<ArrayBuffer>) => refusal(agent.calls.frame(bareFrame(holder), { body }))
  expect(await send(new Uint8Array(FRAME_MAX_BYTES + 1))).toBe('413 request.too_large')
  expect(await send(new Uint8Array(100))).toBe('422 attended.bad_frame')
  await agent.finish(holder, { result: 'cancelled' })
  expect(await refusal(show(holder, 3))).toBe('404 agent.unknown_run')
  expect((await desk.get({ id })).state).toBe('discarded')
  await other.leave()
})

describe('a browser that is opened from a workflow', () => {
  const url = 'https://site.example/start'
  const from = async (of: Ground, purpose: 'pick' | 'record' = 'record') => ({
    browsers: of.person.api(editorBrowsers),
    workflowId: await of.workflow(),
    purpose,
    url,
    clientId: agent.clientId,
  })

  it('is fresh or of what a test run may have, worked by whoever opened it, and leaves nothing behind', async () => {
    const { browsers, ...what } = await from(ground)
    const run = await browsers.open(what)
    expect(run).toMatchObject({
      workflowId: what.workflowId,
      purpose: 'record',
      profileId: null,
      state: 'waiting',
      mine: true,
    })
    expect(await browsers.current({ workflowId: what.workflowId, purpose: 'record' })).toMatchObject({
      run: { id: run.id },
    })
    expect((await browsers.current({ workflowId: what.workflowId, purpose: 'pick' })).run).toBeNull()
    const holder = await agent.begin()
    expect(holder.job).toMatchObject({
      workflow: null,
      profile: null,
      account: null,
      attended: { url, seconds: 900, purpose: 'record' },
    })
    await show(holder, 1)
    expect(await numberOf(browsers.frame({ id: run.id }))).toBe(1)
    const heard = agent.commands.length
    await browsers.input({ id: run.id, events: [{ type: 'recorded', upTo: 0 }] })
    await eventually(async () => expect(agent.commands.length).toBeGreaterThan(heard))
    expect((await ground.runs.get({ id: run.id })).attended).toBe('record')
    // It is none of the desk's.
    expect(await refusal(desk.get({ id: run.id }))).toBe('404 record.not_found')
    await browsers.finish({ id: run.id, save: true })
    await agent.finish(holder, { snapshot: null })
    expect((await browsers.get({ id: run.id })).state).toBe('closed')
    expect((await browsers.current({ workflowId: what.workflowId, purpose: 'record' })).run).toBeNull()
  })

  it('holds its account, and says clearly when its lease is over', async () => {
    const { browsers, ...what } = await from(ground, 'pick')
    const { accountId, profileId } = await needy()
    const run = await browsers.open({ ...what, accountId })
    expect(run).toMatchObject({ accountId, profileId, purpose: 'pick' })
    const holder = await agent.begin()
    expect(holder.job.account).toMatchObject({ id: accountId, secrets: [] })
    await show(holder, 1)
    const next = await newAgent()
    expect(await refusal(browsers.open({ ...what, clientId: next.clientId, accountId }))).toBe(
      '409 attended.held',
    )
    expect(await refusal(desk.open({ accountId }))).toBe('409 attended.held')
    await next.leave()
    await ground.loseLease(run.id)
    await eventually(async () => expect((await browsers.get({ id: run.id })).state).toBe('lost'))
    expect(await refusal(browsers.frame({ id: run.id }))).toBe('409 attended.closed')
    expect(await refusal(show(holder, 2))).toBe('404 agent.unknown_run')
  })

  it('is found by nobody but who opened it, not even by those who may do everything', async () => {
    const { browsers, ...what } = await from(ground)
    const { accountId } = await needy()
    const run = await browsers.open({ ...what, accountId })
    const holder = await agent.begin()
    await show(holder, 1)
    // The desk's ways to look on and to take over are not for it, however long its person is away.
    await ground.server.deps.db.execute(
      sql`update attended_run set holder_seen_at = now() - interval '1 minute' where run_id = ${run.id}`,
    )
    const administrator = await ground.server.as('administrator', unique())
    const theirs = administrator.api(editorBrowsers)
    for (const ask of [
      () => theirs.get({ id: run.id }),
      () => theirs.frame({ id: run.id }),
      () => theirs.input({ id: run.id, events: [{ type: 'closeTab' }] }),
      () => theirs.prolong({ id: run.id }),
      () => theirs.finish({ id: run.id, save: false }),
      () => administrator.api(attendedRuns).watch({ id: run.id }),
      () => administrator.api(attendedRuns).takeOver({ id: run.id }),
    ])
      expect(await refusal(ask())).toBe('404 record.not_found')
    expect((await theirs.current({ workflowId: what.workflowId, purpose: 'record' })).run).toBeNull()
    expect(await browsers.get({ id: run.id })).toMatchObject({ state: 'open', mine: true })
    await agent.finish(holder, { result: 'cancelled' })
  })

  it('shows and takes nothing once the right to its account is gone; it can still be closed', async () => {
    const { browsers, ...what } = await from(ground)
    const { accountId } = await needy()
    const run = await browsers.open({ ...what, accountId })
    const holder = await agent.begin()
    await show(holder, 1)
    expect(await numberOf(browsers.frame({ id: run.id }))).toBe(1)
    const { person } = await ground.neighbour(unique())
    await ground.server.deps.db.execute(
      sql`update account set owner_id = (select id from app_user where username = ${person.username}) where id = ${accountId}`,
    )
    for (const ask of [
      () => browsers.get({ id: run.id }),
      () => browsers.frame({ id: run.id }),
      () => browsers.input({ id: run.id, events: [{ type: 'closeTab' }] }),
      () => browsers.prolong({ id: run.id }),
    ])
      expect(await refusal(ask())).toBe('404 record.not_found')
    const current = async () =>
      (await browsers.current({ workflowId: what.workflowId, purpose: 'record' })).run
    expect(await current()).toMatchObject({ id: run.id, accountName: null, can: ['discard'] })
    await browsers.finish({ id: run.id, save: false })
    expect(await current()).toBeNull()
    expect(await agent.beat()).toContainEqual(expect.objectContaining({ type: 'cancel', runId: run.id }))
    await agent.finish(holder, { result: 'cancelled' })
  })

  it('is refused to those who may not write the workflow, not use the account, or not run the client', async () => {
    const { browsers, ...what } = await from(ground)
    const run = await browsers.open(what)
    const holder = await agent.begin()
    await show(holder, 1)
    const other = await ground.neighbour(unique())
    const theirs = await from(other)
    for (const ask of [
      () => theirs.browsers.open(what),
      () => theirs.browsers.current({ workflowId: what.workflowId, purpose: 'record' }),
      () => theirs.browsers.get({ id: run.id }),
      () => theirs.browsers.frame({ id: run.id }),
      () => theirs.browsers.input({ id: run.id, events: [{ type: 'closeTab' }] }),
      () => theirs.browsers.finish({ id: run.id, save: false }),
    ])
      expect(await refusal(ask())).toBe('404 record.not_found')
    const { accountId } = await needy()
    const own = { workflowId: theirs.workflowId, purpose: 'record' as const, url }
    expect(await refusal(theirs.browsers.open({ ...own, accountId }))).toBe('422 link.not_found')
    expect(await refusal(theirs.browsers.open({ ...own, clientId: agent.clientId }))).toBe(
      '422 link.not_found',
    )
    expect(await refusal(theirs.browsers.open(own))).toBe('409 attended.no_client')
    expect(await refusal(browsers.open({ ...what, url: 'file:///etc/passwd' }))).toBe('422 request.invalid')
    await agent.finish(holder, { result: 'cancelled' })
  })
})

describe('what cannot be opened', () => {
  it('is anything by somebody who has not shown lately who they are', async () => {
    const { accountId } = await needy()
    const { person } = await ground.neighbour(unique())
    const { db } = ground.server.deps
    await db.execute(
      sql`update account set owner_id = (select id from app_user where username = ${person.username}) where id = ${accountId}`,
    )
    await db.execute(sql`
      update session set confirmed_at = now() - interval '6 minutes'
      where user_id = (select id from app_user where username = ${person.username})`)
    expect(await refusal(person.api(attendedRuns).open({ accountId }))).toBe('403 auth.confirm_required')
  })

  it('is somebody else’s account, one without a profile or an address, one that is held', async () => {
    const stranger = await ground.neighbour(unique())
    const theirs = await needy(stranger)
    expect(await refusal(desk.open({ accountId: theirs.accountId }))).toBe('404 record.not_found')
    expect((await queued()).map(({ id }) => id)).not.toContain(theirs.accountId)
    expect(await refusal(desk.open({ accountId: await ground.account() }))).toBe('409 attended.no_profile')
    const bare = await ground.person.api(profiles).create({ name: unique() })
    expect(await refusal(desk.open({ profileId: bare.id }))).toBe('409 attended.no_address')
    expect(await refusal(desk.open({}))).toBe('422 request.invalid')
    const { id, accountId, profileId, holder } = await opened()
    expect(await refusal(desk.open({ accountId, clientId: agent.clientId }))).toBe(
      '409 attended.clients_busy_with',
    )
    const second = await newAgent()
    expect(await refusal(desk.open({ accountId }))).toBe('409 attended.held')
    expect(await refusal(desk.open({ profileId }))).toBe('409 attended.held')
    expect(await refusal(stranger.person.api(attendedRuns).get({ id }))).toBe('404 record.not_found')
    expect(await refusal(stranger.person.api(attendedRuns).watch({ id }))).toBe('404 record.not_found')
    await agent.finish(holder, { result: 'cancelled' })
    await second.leave()
  })

  it('is anything without a client that is there and has a browser', async () => {
    const { accountId } = await needy()
    await agent.beat({ state: 'draining' })
    await ground.server.deps.db.execute(
      sql`update client set last_seen_at = now() - interval '1 hour' where id <> ${agent.clientId}`,
    )
    expect(await refusal(desk.open({ accountId }))).toBe('409 attended.no_client')
    await agent.beat()
    await ground.server.deps.db.execute(sql`update client set browsers = '[]' where id = ${agent.clientId}`)
    expect(await refusal(desk.open({ accountId }))).toBe('409 attended.no_browser')
    const stranger = await ground.neighbour(unique())
    const theirs = await newAgent(stranger)
    expect(await refusal(desk.open({ accountId, clientId: theirs.clientId }))).toBe('422 link.not_found')
    await theirs.leave()
  })
})

describe('a browser that is lost', () => {
  it('gives everything back; what was saved last stays', async () => {
    const { id, accountId, profileId, holder } = await opened()
    await ground.loseLease(id)
    await eventually(async () => expect((await desk.get({ id })).state).toBe('lost'))
    expect(await ground.accounts.get({ id: accountId })).toMatchObject({
      status: 'needs_sign_in',
      lease: null,
    })
    // An agent that comes back with a snapshot is too late.
    await keep(holder)
    expect((await ground.person.api(profiles).get({ id: profileId })).snapshot).toBeNull()
    expect((await queued()).map((row) => row.id)).toContain(accountId)
  })

  it('is over at once when it is discarded before its agent began', async () => {
    const { accountId } = await needy()
    const { id } = await desk.open({ accountId, clientId: agent.clientId })
    const holder = await agent.offer()
    await agent.claim(holder)
    expect(await desk.finish({ id, save: false })).toMatchObject({ state: 'discarded' })
    expect(only((await agent.calls.start({ runs: [bare(holder)] })).results)).toMatchObject({ ok: false })
    expect((await ground.accounts.get({ id: accountId })).lease).toBeNull()
  })

  it('says so when no client took it up', async () => {
    const { accountId } = await needy()
    const { id } = await desk.open({ accountId, clientId: agent.clientId })
    await ground.loseLease(id)
    await eventually(async () => expect((await desk.get({ id })).state).toBe('notTaken'))
  })

  it('counts nobody as signed in where nothing was kept', async () => {
    const { id, accountId, holder } = await opened()
    await desk.finish({ id, save: true })
    const never = {
      sha256: createHash('sha256').update('never sent').digest('hex'),
      size: 10,
      expiresAt: null,
    }
    await agent.finish(holder, { snapshot: never })
    expect((await desk.get({ id })).state).toBe('failed')
    expect((await ground.accounts.get({ id: accountId })).status).toBe('needs_sign_in')
  })
})

it('can be prolonged, up to a bound, and be discarded', async () => {
  const { id, holder } = await opened()
  for (let times = 0; times < 7; times += 1) await desk.prolong({ id })
  expect((await desk.get({ id })).secondsLeft).toBeGreaterThan(7000)
  expect(await refusal(desk.prolong({ id }))).toBe('409 attended.too_long')
  await desk.finish({ id, save: false })
  expect(await agent.beat()).toContainEqual(expect.objectContaining({ type: 'cancel', runId: id }))
  await agent.finish(holder, { result: 'cancelled' })
  expect((await desk.get({ id })).state).toBe('discarded')
})

it('waits with sessions that are about to end, and with new accounts that have no password', async () => {
  const { accountId, holder, id } = await opened()
  await desk.finish({ id, save: true })
  await keep(holder, new Date(Date.now() + 3_600_000).toISOString())
  const reasonOf = async (of: string) => (await queued()).find((row) => row.id === of)?.reason
  const stateOf = async (of: string) => (await ground.accounts.session({ id: of })).state
  expect([await reasonOf(accountId), await stateOf(accountId)]).toEqual([undefined, 'valid'])
  const ends = (at: string) =>
    ground.server.deps.db.execute(sql`
      update profile_session set saved_at = now() - interval '9 hours', expires_at = now() + ${at}::interval where account_id = ${accountId}`)
  await ends('1 hour')
  expect([await reasonOf(accountId), await stateOf(accountId)]).toEqual(['expiring', 'expiring'])
  await ends('-1 minutes')
  expect([await reasonOf(accountId), await stateOf(accountId)]).toEqual(['expired', 'expired'])
  const profile = await ground.person.api(profiles).create({ name: unique() })
  const fresh = await ground.account({ profileId: profile.id })
  expect([await reasonOf(fresh), await stateOf(fresh)]).toEqual(['first', 'none'])
  const stranger = await ground.neighbour(unique())
  expect(await refusal(stranger.accounts.session({ id: fresh }))).toBe('404 record.not_found')
  expect((await desk.queue({ reason: ['first'] })).data.map((row) => row.id)).toEqual([fresh])
})

const bare = ({ runId, leaseToken }: Holder): Holder => ({ runId, leaseToken })
const bareFrame = ({ runId, leaseToken }: Holder) => ({ id: runId, leaseToken })
