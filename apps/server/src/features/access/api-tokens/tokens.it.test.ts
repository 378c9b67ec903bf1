import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { access } from '@weft/contract/access/api'
import { tokens } from '@weft/contract/access/tokens/api'
import { twoSteps } from '@weft/contract/access/two-steps/api'
import { accounts } from '@weft/contract/accounts/api'
import { clientOf } from '@weft/contract/core/client'
import type { Api } from '@weft/contract/core/endpoint'
import { projects } from '@weft/contract/projects/api'
import { users } from '@weft/contract/users/api'
import { refusal } from '../../../testing/browser.ts'
import type { TestPerson } from '../../../testing/people.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let ann: TestPerson
let clock = Date.now()
const DAY = 24 * 3_600_000

beforeAll(async () => {
  server = await startTestServer({ now: () => new Date(clock) })
  ann = await server.as('operator', 'ann')
})
afterAll(() => server.stop())

/** A program that has nothing but a token. */
const program = (secret: string) => ({
  api: <A extends Api>(api: A) =>
    clientOf({ baseUrl: server.url, headers: () => ({ authorization: `Bearer ${secret}` }) }, api),
})
const projectToken = (person: TestPerson, days = 1) =>
  person
    .api(tokens)
    .create({ name: 'nightly', scopes: [{ subject: 'PROJECT', actions: ['VIEW', 'CREATE'] }], days })

describe('an API token', () => {
  it('does what its scopes name of what its person may, and nothing else', async () => {
    const { secret, token } = await projectToken(ann)
    expect(secret.startsWith(token.start)).toBe(true)
    expect(secret.length).toBeGreaterThan(45)
    const bot = program(secret)
    const made = await bot.api(projects).create({ name: 'by a program' })
    expect(made.ownerId).toBe(ann.id)
    expect((await bot.api(projects).list({})).totalRecord).toBe(1)
    expect((await refusal(bot.api(projects).remove({ id: made.id }))).code).toBe('access.denied')
    expect((await refusal(bot.api(accounts).list({}))).code).toBe('access.denied')
    const { abilities } = await bot.api(access).info({})
    expect(JSON.stringify(abilities)).not.toContain('ACCOUNT')
    const { rows } = await server.deps.pool.query<{ actor_id: string; actor_name: string }>(
      `select actor_id, actor_name from audit where record_id = $1`,
      [made.id],
    )
    expect(rows).toEqual([{ actor_id: ann.id, actor_name: 'ann (nightly)' }])
  })

  it('ends when its person is removed, also if they come back', async () => {
    const admin = await server.as('administrator', 'remover')
    const gone = await server.as('operator', 'gone')
    const bot = program((await projectToken(gone)).secret)
    await bot.api(projects).list({})
    await admin.api(users).remove({ id: gone.id })
    await admin.api(users).restore({ id: gone.id })
    expect((await refusal(bot.api(projects).list({}))).httpStatus).toBe(401)
  })

  it('is offered what its person may do of what calls ask for', async () => {
    const offered = async (person: TestPerson) =>
      Object.fromEntries(
        (await person.api(tokens).scopes({})).map(({ subject, actions }) => [subject, actions]),
      )
    expect((await offered(await server.as('administrator')))['PROJECT']).toEqual([
      'VIEW',
      'CREATE',
      'UPDATE',
      'DELETE',
      'EXPORT',
      'IMPORT',
    ])
    const viewer = await offered(await server.as('viewer'))
    expect(viewer['PROJECT']).toEqual(['VIEW'])
    expect(viewer['USER']).toBeUndefined()
  })

  it('is shown once and kept as a hash', async () => {
    const { secret } = await projectToken(ann)
    expect(JSON.stringify(await ann.api(tokens).list({}))).not.toContain(secret)
    const { rows } = await server.deps.pool.query(
      `select to_jsonb(t)::text as text from api_token t union all select to_jsonb(a)::text from audit a
       union all select to_jsonb(i)::text from idempotency i`,
    )
    expect(JSON.stringify(rows)).not.toContain(secret)
  })

  it('changes nothing of its person and their way in, and makes no other token', async () => {
    const bot = program((await projectToken(ann)).secret)
    const scopes = [{ subject: 'PROJECT' as const, actions: ['VIEW' as const] }]
    for (const call of [
      () => bot.api(tokens).create({ name: 'more', scopes, days: 1 }),
      () => bot.api(tokens).list({}),
      () => bot.api(twoSteps).enrol({}),
      () => bot.api(access).sessions({}),
      () => bot.api(access).endSession({ others: true }),
      () => bot.api(access).prove({ password: 'x' }),
    ])
      expect((await refusal(call())).code).toBe('auth.not_by_token')
    await ann.api(access).info({})
  })

  it('cannot be given what its person may not do, nor nothing, nor for ever', async () => {
    const create = (scopes: object[], days = 1) =>
      refusal(ann.api(tokens).create({ name: 'x', scopes, days } as never))
    expect((await create([{ subject: 'SYSTEM', actions: ['MANAGE'] }])).body).toMatchObject({
      code: 'token.beyond_own',
      params: { action: 'MANAGE', subject: 'SYSTEM' },
    })
    expect((await create([])).httpStatus).toBe(422)
    expect((await create([{ subject: 'PROJECT', actions: [] }])).httpStatus).toBe(422)
    expect((await create([{ subject: 'PROJECT', actions: ['VIEW'] }], 366)).httpStatus).toBe(422)
  })

  it('loses with its person’s rights, and at once when it is revoked', async () => {
    const bea = await server.as('operator', 'bea')
    const { secret, token } = await projectToken(bea)
    const bot = program(secret)
    await bot.api(projects).list({})
    await bot.api(projects).create({ name: 'one' })
    await server.deps.pool.query(
      `update user_role set role_id = (select id from role where key = 'viewer') where user_id = $1`,
      [bea.id],
    )
    await server.deps.pool.query(`select pg_notify('weft_identity', '')`)
    await expect
      .poll(async () =>
        bot
          .api(projects)
          .create({ name: 'two' })
          .then(
            () => '',
            (error: { code: string }) => error.code,
          ),
      )
      .toBe('access.denied')
    await bot.api(projects).list({})
    expect((await refusal(ann.api(tokens).remove({ id: token.id }))).code).toBe('record.not_found')
    await bea.api(tokens).remove({ id: token.id })
    await expect
      .poll(async () =>
        bot
          .api(projects)
          .list({})
          .then(
            () => '',
            (error: { code: string }) => error.code,
          ),
      )
      .toBe('auth.ended')
    expect((await refusal(bea.api(tokens).remove({ id: token.id }))).code).toBe('record.not_found')
  })

  it('ends with its person, and when its time is over', async () => {
    const cat = await server.as('operator', 'cat')
    const first = program((await projectToken(cat)).secret)
    await first.api(projects).list({})
    await server.deps.pool.query(`update app_user set status = 'suspended' where id = $1`, [cat.id])
    await server.deps.pool.query(`select pg_notify('weft_identity', '')`)
    await expect
      .poll(async () =>
        first
          .api(projects)
          .list({})
          .then(
            () => '',
            (error: { code: string }) => error.code,
          ),
      )
      .toBe('auth.ended')
    const dan = await server.as('operator', 'dan')
    const second = program((await projectToken(dan, 2)).secret)
    clock += DAY
    await second.api(projects).list({})
    clock += DAY
    expect((await refusal(second.api(projects).list({}))).code).toBe('auth.ended')
  })

  it('tells when it was last used, and opens no live connection', async () => {
    const eve = await server.as('operator', 'eve')
    const { secret } = await projectToken(eve)
    expect((await eve.api(tokens).list({})).data[0]?.lastUsedAt).toBeNull()
    await program(secret).api(projects).list({})
    expect((await eve.api(tokens).list({})).data[0]?.lastUsedAt).toBe(new Date(clock).toISOString())
    const hub = await fetch(`${server.url}/hub/negotiate?negotiateVersion=1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
    })
    expect(hub.status).toBe(401)
  })
})
