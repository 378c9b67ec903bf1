import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accounts } from '@weft/contract/accounts/api'
import { bulks } from '@weft/contract/bulks/api'
import { profiles } from '@weft/contract/profiles/api'
import { CallError, type ClientOf } from '@weft/contract/core/client'
import { hashPassword } from '../access/password.ts'
import { appUser } from '../access/table.ts'
import { newId } from '../../kit/record.ts'
import { openField } from '../../kit/resource/secrets.ts'
import { codeOf } from '../../testing/browser.ts'
import type { TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { expectTablesMatch } from '../../testing/tables-match.ts'
import { account } from './table.ts'

let server: TestServer
let ann: TestPerson
let mine: ClientOf<typeof accounts>

beforeAll(async () => {
  server = await startTestServer()
  ann = await server.as('operator', 'ann')
  mine = ann.api(accounts)
})
afterAll(() => server.stop())

let next = 0
const unique = () => `user${++next}`

test('the table is as the code knows it', () => expectTablesMatch(server.deps.db, [account]))

describe('create', () => {
  test('answers the whole record, tells that secrets are set, and keeps them sealed', async () => {
    const made = await mine.create({
      type: 'website',
      username: 'keeper',
      password: 'open sesame',
      recoveryCodes: ['one', 'two'],
      allowedDomains: ['*.Example.com'],
      tags: ['first'],
    })
    expect(made).toMatchObject({
      username: 'keeper',
      status: 'new',
      ownerId: ann.id,
      version: 1,
      password: { set: true },
      totpSeed: { set: false },
      recoveryCodes: { set: true },
      allowedDomains: ['*.example.com'],
      tags: ['first'],
      lease: null,
      can: ['update', 'delete', 'reveal'],
    })
    expect(JSON.stringify(made)).not.toContain('sesame')
    const [row] = await server.deps.db.select().from(account).where(eq(account.id, made.id))
    if (!row) throw new Error('not stored')
    expect(JSON.stringify(row)).not.toContain('sesame')
    expect(openField(server.deps.secrets, account, 'password', row)).toBe('open sesame')
    expect(openField(server.deps.secrets, account, 'recoveryCodes', row)).toBe('["one","two"]')
  })

  test('a second one with the same owner, type and name is refused, in any case of letters', async () => {
    const username = unique()
    await mine.create({ type: 'x', username })
    await expect(mine.create({ type: 'x', username: username.toUpperCase() })).rejects.toMatchObject({
      httpStatus: 409,
      body: { code: 'record.duplicate', errors: [{ path: 'username' }] },
    })
    await mine.create({ type: 'google', username })
    await (await server.as('operator', 'ben')).api(accounts).create({ type: 'x', username })
  })

  test('a link must lead to a record that one may see', async () => {
    const ben = await server.as('operator', 'ben')
    const foreign = await ben.api(profiles).create({ name: 'of Ben' })
    for (const profileId of [foreign.id, newId()])
      await expect(mine.create({ type: 'x', username: unique(), profileId })).rejects.toMatchObject({
        httpStatus: 422,
        body: { code: 'link.not_found', errors: [{ path: 'profileId' }] },
      })
    const own = await ann.api(profiles).create({ name: 'of Ann' })
    expect(await mine.create({ type: 'x', username: unique(), profileId: own.id })).toMatchObject({
      profileId: own.id,
    })
  })

  test('bad input names every wrong field', async () => {
    const bad = { type: 'nothing', username: '', limits: { perDay: 0 }, more: 1 }
    // What a program without our types may send.
    const answer = mine.create(bad as unknown as { type: 'x'; username: string })
    await expect(answer).rejects.toMatchObject({ httpStatus: 422, code: 'request.invalid' })
    const paths = await answer.catch((error: CallError) => error.body.errors?.map(({ path }) => path).sort())
    expect(paths).toEqual(['limits.perDay', 'more', 'type', 'username'])
  })

  test('the same request twice with one key makes one record', async () => {
    const input = { type: 'x', username: unique() } as const
    const first = await mine.create(input, { idempotencyKey: 'k-1' })
    const second = await mine.create(input, { idempotencyKey: 'k-1' })
    expect(second.id).toBe(first.id)
  })
})

describe('reading', () => {
  test('another person’s record is as good as none', async () => {
    const { id } = await (
      await server.as('operator', 'ben')
    )
      .api(accounts)
      .create({ type: 'x', username: 'hidden' })
    expect(await codeOf(mine.get({ id }))).toBe('record.not_found')
    expect(await codeOf(mine.history({ id }))).toBe('record.not_found')
    expect(await codeOf(mine.whereUsed({ id }))).toBe('record.not_found')
    expect((await mine.list({ q: 'hidden' })).data).toEqual([])
    const viewer = await server.as('viewer')
    expect((await viewer.api(accounts).get({ id })).can).toEqual([])
    expect((await (await server.as('administrator')).api(accounts).get({ id })).can).toContain('update')
  })

  test('lists filter, search, sort and page', async () => {
    const dora = (await server.as('operator', 'dora')).api(accounts)
    for (const [username, type, tags] of [
      ['alpha', 'x', ['hot']],
      ['beta', 'google', []],
      ['gamma', 'x', ['hot', 'cold']],
    ] as const)
      await dora.create({ username, type, tags: [...tags], displayName: `Zoë ${username}` })
    const names = async (query: Parameters<typeof dora.list>[0]) =>
      (await dora.list(query)).data.map(({ username }) => username)
    expect(await names({})).toEqual(['gamma', 'beta', 'alpha'])
    expect(await names({ sortBy: 'username', sortDesc: 'true' })).toEqual(['gamma', 'beta', 'alpha'])
    expect(await names({ accountType: 'x', sortBy: 'username' })).toEqual(['alpha', 'gamma'])
    expect(await names({ tag: 'cold' })).toEqual(['gamma'])
    expect(await names({ q: 'zoë bet' })).toEqual(['beta'])
    expect(await names({ accountStatus: 'in_use' })).toEqual([])
    expect(await names({ accountStatus: 'new,ready', perPage: '2', page: '2', sortBy: 'username' })).toEqual([
      'gamma',
    ])
    expect((await dora.list({ perPage: '2' })).totalRecord).toBe(3)
    expect(await names({ perPage: '-1', sortBy: 'username' })).toEqual(['alpha', 'beta', 'gamma'])
    expect(await codeOf(dora.list({ sortBy: 'password' as 'username' }))).toBe('request.invalid')
  })
})

describe('update', () => {
  test('changes what is given and nothing else; a secret stays until it is given or taken away', async () => {
    const made = await mine.create({ type: 'x', username: unique(), password: 'old', notes: 'n' })
    const changed = await mine.update({ id: made.id, version: 1, displayName: 'Shown' })
    expect(changed).toMatchObject({ version: 2, displayName: 'Shown', notes: 'n', password: { set: true } })
    const without = await mine.update({ id: made.id, version: 2, password: null })
    expect(without.password).toEqual({ set: false })
  })

  test('a stale version gets the record as it is now', async () => {
    const { id } = await mine.create({ type: 'x', username: unique() })
    await mine.update({ id, version: 1, notes: 'newer' })
    await expect(mine.update({ id, version: 1, notes: 'older' })).rejects.toMatchObject({
      httpStatus: 409,
      body: { code: 'record.stale', current: { id, version: 2, notes: 'newer' } },
    })
  })

  test('of two at once, one wins and the other is told', async () => {
    const { id } = await mine.create({ type: 'x', username: unique() })
    const codes = await Promise.all(['a', 'b'].map((notes) => codeOf(mine.update({ id, version: 1, notes }))))
    expect(new Set(codes)).toEqual(new Set(['no error', 'record.stale']))
  })

  test('another person’s record cannot be changed', async () => {
    const { id } = await mine.create({ type: 'x', username: unique() })
    const ben = (await server.as('operator', 'ben')).api(accounts)
    expect(await codeOf(ben.update({ id, version: 1, notes: 'mine now' }))).toBe('record.not_found')
    expect(await codeOf((await server.as('viewer')).api(accounts).update({ id, version: 1 }))).toBe(
      'access.denied',
    )
  })

  test('rules may leave out fields', async () => {
    const { id } = await mine.create({ type: 'x', username: unique() })
    const helper = await server.withRules('helper', [
      { action: 'VIEW', subject: 'ACCOUNT' },
      { action: 'UPDATE', subject: 'ACCOUNT', fields: ['notes'] },
    ])
    await helper.api(accounts).update({ id, version: 1, notes: 'allowed' })
    expect(await codeOf(helper.api(accounts).update({ id, version: 2, username: 'other' }))).toBe(
      'access.denied',
    )
  })
})

describe('delete and restore', () => {
  test('a deleted record is in the trash, can be restored, and has all of it in its history', async () => {
    const username = unique()
    const { id } = await mine.create({ type: 'x', username, password: 'secret' })
    await mine.update({ id, version: 1, password: 'newer secret' })
    await mine.remove({ id })
    expect(await codeOf(mine.get({ id }))).toBe('record.not_found')
    const [trashed] = (await mine.list({ trashed: 'true', q: username })).data
    expect(trashed).toMatchObject({ id, can: ['restore', 'purge'] })
    expect((await mine.restore({ id })).can).toContain('update')
    const history = await mine.history({ id, sortBy: 'at', sortDesc: 'false' })
    expect(history.data.map(({ label }) => label)).toEqual([
      'account.create',
      'account.update',
      'account.delete',
      'account.restore',
    ])
    expect(history.data[1]).toMatchObject({ actorName: 'ann', after: { password: { set: true } } })
    expect(JSON.stringify(history.data)).not.toContain('secret"')
  })

  test('what took its place keeps a record in the trash', async () => {
    const username = unique()
    const { id } = await mine.create({ type: 'x', username })
    await mine.remove({ id })
    await mine.create({ type: 'x', username })
    expect(await codeOf(mine.restore({ id }))).toBe('record.duplicate')
  })
})

describe('bulk', () => {
  test('sets one limit, leaves the others as they are, and puts each back', async () => {
    const some = { perDay: 9, perHour: null, cooldownMinutes: null, quietHours: '22:00-06:00' }
    const ids = [
      (await mine.create({ type: 'x', username: unique(), limits: some })).id,
      (await mine.create({ type: 'x', username: unique() })).id,
    ]
    const limits = () => Promise.all(ids.map(async (id) => (await mine.get({ id })).limits))
    const bulk = await mine.bulk({
      selection: { ids },
      action: 'update',
      fields: { limits: { cooldownMinutes: 15 } },
    })
    const nothing = { perDay: null, perHour: null, cooldownMinutes: null, quietHours: null }
    expect(await limits()).toEqual([
      { ...some, cooldownMinutes: 15 },
      { ...nothing, cooldownMinutes: 15 },
    ])
    await ann.api(bulks).undo({ id: bulk.id })
    expect(await limits()).toEqual([some, nothing])
  })

  test('does what it can and tells what it refused', async () => {
    const made = await Promise.all(
      [1, 2, 3].map(() => mine.create({ type: 'x', username: unique(), tags: ['a'] })),
    )
    const foreign = await (
      await server.as('operator', 'ben')
    )
      .api(accounts)
      .create({ type: 'x', username: unique() })
    const ids = [...made.map(({ id }) => id), foreign.id]
    const tagged = await mine.bulk({ selection: { ids }, action: 'addTags', tags: ['b', 'a'] })
    expect(tagged).toMatchObject({
      done: 3,
      refusedTotal: 1,
      refused: [{ id: foreign.id, name: '', code: 'record.not_found' }],
    })
    expect((await mine.get({ id: made[0]?.id ?? '' })).tags).toEqual(['a', 'b'])
    await mine.bulk({ selection: { ids }, action: 'removeTags', tags: ['a'] })
    expect((await mine.get({ id: made[0]?.id ?? '' })).tags).toEqual(['b'])
    expect((await mine.history({ id: made[0]?.id ?? '' })).totalRecord).toBe(3)
  })

  test('takes all that match a query, and only those', async () => {
    const eve = (await server.as('operator', 'eve')).api(accounts)
    for (let n = 0; n < 5; n += 1) await eve.create({ type: n < 3 ? 'x' : 'google', username: `e${n}` })
    const gone = await eve.bulk({ selection: { query: { accountType: 'x' } }, action: 'delete' })
    expect(gone).toMatchObject({ state: 'finished', total: 3, done: 3, refused: [] })
    expect((await eve.list({})).totalRecord).toBe(2)
    const twin = await eve.create({ type: 'x', username: 'e1' })
    const back = await eve.bulk({ selection: { query: {} }, action: 'restore' })
    expect(back).toMatchObject({ done: 2, refused: [{ name: 'e1', code: 'record.duplicate' }] })
    expect((await eve.list({})).totalRecord).toBe(5)
    expect(twin.version).toBe(1)
    expect(await codeOf(eve.bulk({ selection: { query: { nothing: 1 } }, action: 'delete' }))).toBe(
      'request.invalid',
    )
  })
})

describe('export', () => {
  test('writes what matches, as a spreadsheet can take it, without secrets', async () => {
    const fay = (await server.as('operator', 'fay')).api(accounts)
    await fay.create({ type: 'x', username: '=1+1', password: 'hush', tags: ['a', 'b'], notes: 'say "hi"' })
    await fay.create({ type: 'google', username: 'plain' })
    const response = await fay.export({ sortBy: 'username' })
    expect(response.headers.get('content-type')).toContain('text/csv')
    expect(response.headers.get('content-disposition')).toContain('accounts.csv')
    const lines = (await response.text()).replace('\uFEFF', '').trimEnd().split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^type,username,displayName/)
    expect(lines[1]).toMatch(/^x,'=1\+1,/)
    expect(lines[1]).toContain('a; b,"say ""hi"""')
    expect(lines.join()).not.toContain('hush')
    const rows = (await (await fay.export({ format: 'ndjson', accountType: 'google' })).text())
      .trim()
      .split('\n')
    expect(rows.map((row): unknown => JSON.parse(row))).toMatchObject([{ type: 'google', username: 'plain' }])
    const viewer = (await server.as('viewer')).api(accounts)
    expect(await codeOf(viewer.export({}))).toBe('access.denied')
  })
})

describe('reveal', () => {
  test('shows one secret to its owner who gives their own password, and leaves a trace', async () => {
    const gil = await server.as('operator', 'gil')
    await server.deps.db
      .update(appUser)
      .set({ passwordHash: await hashPassword('my own password') })
      .where(eq(appUser.id, gil.id))
    const api = gil.api(accounts)
    const { id } = await api.create({
      type: 'x',
      username: 'shown',
      password: 'p1',
      recoveryCodes: ['a', 'b'],
    })
    const ownPassword = 'my own password'
    expect(await api.reveal({ id, secret: 'password', ownPassword })).toEqual({ value: 'p1' })
    expect(await api.reveal({ id, secret: 'recoveryCodes', ownPassword })).toEqual({ value: ['a', 'b'] })
    await expect(api.reveal({ id, secret: 'password', ownPassword: 'guess' })).rejects.toMatchObject({
      httpStatus: 422,
      body: { errors: [{ path: 'ownPassword' }] },
    })
    expect((await api.history({ id })).data.map(({ label }) => label)).toContain('account.reveal')
    for (let n = 0; n < 5; n += 1) await codeOf(api.reveal({ id, secret: 'password', ownPassword: 'guess' }))
    expect(await codeOf(api.reveal({ id, secret: 'password', ownPassword }))).toBe('auth.too_many_attempts')
  })
})
