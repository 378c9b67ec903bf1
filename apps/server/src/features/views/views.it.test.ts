import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { preferences } from '@weft/contract/preferences/api'
import { roles } from '@weft/contract/roles/api'
import { views } from '@weft/contract/views/api'
import { MAX_VIEWS, type ViewState } from '@weft/contract/views/schema'
import { refusal } from '../../testing/browser.ts'
import type { TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let admin: TestPerson
let ann: TestPerson
let ben: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.as('administrator', 'ada')
  ann = await server.as('operator', 'ann')
  ben = await server.as('operator', 'ben')
})
afterAll(() => server.stop())

const list = 'accounts.list'
const state: ViewState = {
  q: 'shop',
  filters: { accountStatus: 'ready,limited' },
  sortBy: 'username',
  sortDesc: true,
  perPage: 50,
  columns: { order: ['status', 'username'], shown: { email: false }, widths: { username: 240 }, pinned: [] },
}

describe('saved views', () => {
  it('are one’s own until they are shared, and hold what was saved', async () => {
    const made = await ann.api(views).create({ list, name: 'Mine', state })
    expect(made).toMatchObject({
      name: 'Mine',
      own: true,
      shared: false,
      state,
      can: ['update', 'share', 'delete'],
    })
    expect((await ann.api(views).list({ list })).views.map(({ id }) => id)).toEqual([made.id])
    expect((await ben.api(views).list({ list })).views).toEqual([])
    await ann.api(views).update({ id: made.id, name: 'Ours', shared: true })
    const [seen] = (await ben.api(views).list({ list })).views
    expect(seen).toMatchObject({ id: made.id, name: 'Ours', own: false, state, can: [] })
    expect((await refusal(ben.api(views).update({ id: made.id, name: 'His' }))).httpStatus).toBe(403)
    expect((await refusal(ben.api(views).remove({ id: made.id }))).httpStatus).toBe(403)
    await ann.api(views).remove({ id: made.id })
    expect((await ben.api(views).list({ list })).views).toEqual([])
  })

  it('have one name once for each person and list', async () => {
    const made = await ann.api(views).create({ list, name: 'Twice', state })
    const again = await refusal(ann.api(views).create({ list, name: 'twice', state }))
    expect(again.body).toMatchObject({ code: 'record.duplicate', params: { field: 'name' } })
    await ben.api(views).create({ list, name: 'Twice', state })
    await ann.api(views).create({ list: 'profiles.list', name: 'Twice', state })
    await ann.api(views).remove({ id: made.id })
  })

  it('are refused for what is no list, or one that may not be seen', async () => {
    for (const wrong of ['accounts.get', 'nothing', 'users.list']) {
      expect((await refusal(ann.api(views).create({ list: wrong, name: 'x', state }))).httpStatus).toBe(422)
      expect((await ann.api(views).list({ list: wrong })).views).toEqual([])
    }
    const shared = await admin.api(views).create({ list: 'users.list', name: 'People', shared: true, state })
    expect((await refusal(ann.api(views).setDefault({ list, viewId: shared.id }))).httpStatus).toBe(404)
  })

  it('open a list by default: a role’s, and one’s own before it; hidden again, it is nobody’s default', async () => {
    const { data } = await admin.api(roles).list({})
    const roleId = data.find(({ key }) => key === 'operator')?.id ?? ''
    const own = await ben.api(views).create({ list, name: 'Ben’s', state })
    const shared = await admin.api(views).create({ list, name: 'Team', state })
    const early = await refusal(admin.api(views).setDefault({ list, viewId: shared.id, roleId }))
    expect(early.body.code).toBe('view.not_shared')
    await admin.api(views).update({ id: shared.id, shared: true })
    const given = await admin.api(views).setDefault({ list, viewId: shared.id, roleId })
    expect(given.views.find(({ id }) => id === shared.id)?.roles).toMatchObject([{ id: roleId }])
    expect(await ben.api(views).list({ list })).toMatchObject({ defaultId: shared.id, ownDefault: false })
    expect((await refusal(ben.api(views).setDefault({ list, viewId: shared.id, roleId }))).httpStatus).toBe(
      404,
    )
    // Two at once do not get into each other's way.
    await Promise.all([1, 2].map(() => ben.api(views).setDefault({ list, viewId: own.id })))
    expect(await ben.api(views).list({ list })).toMatchObject({ defaultId: own.id, ownDefault: true })
    await ben.api(views).setDefault({ list, viewId: null })
    expect(await ben.api(views).list({ list })).toMatchObject({ defaultId: shared.id })
    // One may have the list open without any, whatever one's role has; a role always has some view or says nothing.
    const bare = await ben.api(views).setDefault({ list, viewId: null, none: true })
    expect(bare).toMatchObject({ defaultId: null, ownDefault: true })
    await admin.api(views).setDefault({ list, viewId: null, roleId, none: true })
    await admin.api(views).setDefault({ list, viewId: shared.id, roleId })
    expect(await ben.api(views).list({ list })).toMatchObject({ defaultId: null, ownDefault: true })
    await ben.api(views).setDefault({ list, viewId: null })
    expect(await ben.api(views).list({ list })).toMatchObject({ defaultId: shared.id, ownDefault: false })
    await admin.api(views).update({ id: shared.id, shared: false })
    expect(await ben.api(views).list({ list })).toMatchObject({ defaultId: null })
  })

  it('are so many and no more, also of lists with additions to their names; one’s own come first', async () => {
    const add = (owner: string, shared: boolean, name: string, count: number) =>
      server.deps.pool.query(
        `insert into list_view (id, owner_id, list, name, shared, state)
         select gen_random_uuid(), $1, 'phones.list' || case when $3 then '' else '#' || n end, $4 || n, $3, $2
         from generate_series(1, $5::int) n`,
        [owner, state, shared, name, count],
      )
    const own = await ann.api(views).create({ list: 'phones.list', name: 'zz last by its name', state })
    await add(ben.id, true, 'a', 310)
    expect((await ann.api(views).list({ list: 'phones.list' })).views[0]).toMatchObject({ id: own.id })
    await add(ann.id, false, 'v', MAX_VIEWS)
    const refused = await refusal(ann.api(views).create({ list: 'phones.list', name: 'one more', state }))
    expect(refused.body).toMatchObject({ code: 'view.too_many', params: { maximum: MAX_VIEWS } })
  })
})

describe('columns', () => {
  it('are kept for each person and list, and go back to how the list comes', async () => {
    const columns = { order: ['email'], shown: { tags: true }, widths: { email: 200 }, pinned: ['username'] }
    expect(await ann.api(preferences).arrange({ list, columns })).toEqual({ [list]: columns })
    expect(await ann.api(preferences).get({})).not.toHaveProperty(list)
    expect(await ben.api(preferences).arrangements({})).toEqual({})
    expect(await ann.api(preferences).arrange({ list, columns: null })).toEqual({})
    expect((await refusal(ann.api(preferences).arrange({ list: 'x.y', columns }))).httpStatus).toBe(422)
    const wide = { ...columns, widths: { email: 9 } }
    expect((await refusal(ann.api(preferences).arrange({ list, columns: wide }))).httpStatus).toBe(422)
  })
})
