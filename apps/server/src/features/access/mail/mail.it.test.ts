import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mail } from '@weft/contract/access/mail/api'
import { refusal } from '../../../testing/browser.ts'
import { testMailServer, textOf, type TestMailServer } from '../../../testing/mail-server.ts'
import type { TestPerson } from '../../../testing/people.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import { appUser } from '../table.ts'
import { transact, systemActor } from '../../../kit/work.ts'
import { sendOne, writeMail } from './outbox.ts'

const USER = { username: 'weft', password: 'smtp secret' }
let server: TestServer
let smtp: TestMailServer
let admin: TestPerson
let personId: string

beforeAll(async () => {
  server = await startTestServer()
  smtp = await testMailServer(USER)
  admin = await server.as('administrator')
  personId = (await server.as('viewer', 'zoé')).id
  await server.deps.pool.query(
    `update app_user set email = 'zoe@example.org', email_key = 'zoe@example.org', locale = 'fr',
      display_name = 'Zoé Noël' where id = $1`,
    [personId],
  )
})
afterAll(async () => {
  await server.stop()
  await smtp[Symbol.asyncDispose]()
})

async function write(): Promise<string> {
  await transact(server.deps, systemActor('test'), async (work) => {
    const [user] = await work.tx.select().from(appUser).where(eq(appUser.id, personId))
    if (!user) throw new Error('nobody to write to')
    await writeMail(work, server.deps.secrets, 'passwordChanged', user, { site: 'WEFT' })
  })
  const { rows } = await server.deps.pool.query<{ id: string }>(
    'select id from mail order by id desc limit 1',
  )
  return rows[0]?.id ?? ''
}

const newest = async () => (await admin.api(mail).outbox({ perPage: 1 })).data[0]
const save = (more: { host?: string; password?: string | null; security?: 'none' | 'starttls' } = {}) =>
  admin.api(mail).saveServer({
    host: '127.0.0.1',
    port: smtp.port,
    security: 'none',
    username: USER.username,
    password: USER.password,
    from: 'weft@example.org',
    ...more,
  })

describe('mail', () => {
  it('stays in the outbox, readable for administrators, while no server is set', async () => {
    await write()
    await expect.poll(newest).toMatchObject({ state: 'kept', to: 'zoe@example.org', attempts: 0 })
    expect((await newest())?.text).toContain('Bonjour Zoé Noël')
    expect(await refusal(admin.api(mail).test({ to: 'x@example.org' }))).toMatchObject({
      code: 'mail.no_server',
    })
    const { rows } = await server.deps.pool.query<{ sealed_text: string }>('select sealed_text from mail')
    expect(rows[0]?.sealed_text).not.toContain('Zoé')
    const read = await server.deps.pool.query(`select 1 from audit where label = 'mail.outbox_read'`)
    expect(read.rowCount).toBeGreaterThan(0)
  })

  it('is nobody else’s to read, and the server nobody else’s to set', async () => {
    const operator = await server.as('operator')
    expect(await refusal(operator.api(mail).outbox({}))).toMatchObject({ code: 'access.denied' })
    expect(await refusal(operator.api(mail).server({}))).toMatchObject({ code: 'access.denied' })
    expect(await refusal(operator.api(mail).saveServer({ host: 'x' }))).toMatchObject({
      code: 'access.denied',
    })
  })

  it('that was kept goes out once a server is set; its text is gone then, its password never shown', async () => {
    const saved = await save()
    expect(saved.password).toEqual({ set: true })
    await expect.poll(() => smtp.received.length).toBe(1)
    const [received] = smtp.received
    if (!received) throw new Error('nothing came')
    expect(received).toMatchObject({ from: 'weft@example.org', to: ['zoe@example.org'] })
    expect(textOf(received)).toContain('le mot de passe de votre compte zoé a été changé')
    expect(received.raw).toMatch(/^Auto-Submitted: auto-generated/m)
    await expect.poll(newest).toMatchObject({ state: 'sent', text: null })
    const { rows } = await server.deps.pool.query(
      `select before, after from audit where label = 'mail.server'`,
    )
    expect(JSON.stringify(rows)).not.toContain(USER.password)
    const kept = await server.deps.pool.query<{ sealed: string }>('select sealed from guarded_setting')
    expect(kept.rows[0]?.sealed).toMatch(/^v1:/)
  })

  it('is tried at once when asked, and says what the server answered', async () => {
    expect(await admin.api(mail).test({ to: 'me@example.org' })).toEqual({ accepted: true, reason: null })
    await save({ password: 'wrong' })
    const refused = await admin.api(mail).test({ to: 'me@example.org' })
    expect(refused.accepted).toBe(false)
    expect(refused.reason).toMatch(/wrong user or password/i)
    // A password left out stays as it is.
    await save({ password: undefined })
    expect((await admin.api(mail).test({ to: 'me@example.org' })).accepted).toBe(false)
    await save()
    expect((await admin.api(mail).test({ to: 'me@example.org' })).accepted).toBe(true)
  })

  it('is not given to a server whose certificate nobody vouches for', async () => {
    await save({ security: 'starttls' })
    const refused = await admin.api(mail).test({ to: 'me@example.org' })
    expect(refused).toMatchObject({ accepted: false })
    expect(refused.reason).toMatch(/certificate|self.signed/i)
    await save()
  })

  it('waits while the server refuses for the moment, and is given up when it refuses for good', async () => {
    smtp.refuseWith = 451
    const first = await write()
    await expect
      .poll(newest)
      .toMatchObject({ state: 'waiting', attempts: 1, lastError: expect.stringContaining('refused') })
    smtp.refuseWith = undefined
    await sendOne(server.deps, first)
    expect(await newest()).toMatchObject({ state: 'sent', lastError: null })
    const count = smtp.received.length
    await sendOne(server.deps, first)
    expect(smtp.received.length).toBe(count)
    smtp.refuseWith = 550
    await write()
    await expect.poll(newest).toMatchObject({ state: 'failed' })
    smtp.refuseWith = undefined
    await save()
    await expect.poll(newest).toMatchObject({ state: 'sent' })
  })

  it('is refused where a setting could write lines of its own', async () => {
    for (const wrong of [
      { host: 'a\nb' },
      { host: 'x', port: 0 },
      { host: 'x', fromName: 'A\r\nBcc: b@c.d' },
    ])
      expect((await refusal(admin.api(mail).saveServer(wrong))).httpStatus).toBe(422)
    expect(await admin.api(mail).server({})).toMatchObject({ host: '127.0.0.1', fromName: '' })
  })
})
