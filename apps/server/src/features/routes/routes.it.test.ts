import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '@weft/contract/routes/api'
import type { MenuEntry, MenuState, MenuTree } from '@weft/contract/routes/schema'
import { system } from '@weft/contract/system/api'
import type { RouteNode } from '@weft/contract/system/schema'
import { refusal } from '../../testing/browser.ts'
import type { TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { ROUTES } from '../system/routes.ts'
import { mergedTree, shippedTree } from './shipped.ts'

let server: TestServer
let admin: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.as('administrator')
})
afterAll(() => server.stop())

const get = () => admin.api(routes).get({})
const save = async (tree: MenuTree, by = admin): Promise<MenuState> =>
  by.api(routes).save({ version: (await get()).version, tree, note: '' })
const at = (tree: MenuTree, path: string): MenuEntry => {
  const found = tree.find((entry) => entry.kind === 'page' && entry.path === path)
  if (!found) throw new Error(`no ${path}`)
  return found
}
const seenBy = async (person: TestPerson) => (await person.api(system).config({})).routes
const find = (nodes: readonly RouteNode[], path: string): RouteNode | undefined =>
  nodes.flatMap((node) => [node, ...(node.children ?? [])]).find((node) => node.path === path)
const paths = (nodes: readonly RouteNode[]) =>
  nodes.filter(({ hidden, meta }) => !hidden && meta.title && meta.layout !== 'blank').map(({ path }) => path)

/** The shipped menu with one part changed. */
async function changed(change: (tree: MenuTree) => MenuTree): Promise<MenuTree> {
  return change((await get()).shippedTree)
}
const groupId = randomUUID()
const linkId = randomUUID()

describe('the menu', () => {
  it('is the shipped one until somebody arranges it', async () => {
    const { version, isShipped, tree, shippedTree: shipped, pages } = await get()
    expect([version, isShipped]).toEqual([0, true])
    expect(tree).toEqual(shipped)
    expect(pages.map(({ path }) => path)).toContain('/cms/config/system')
    expect(pages.find(({ path }) => path === '/cms/config/system')).toMatchObject({
      fixed: true,
      right: { action: 'MANAGE', subject: 'SYSTEM' },
    })
    expect(pages.some(({ path }) => path.startsWith('/error') || path === '/auth/login')).toBe(false)
  })

  it('is arranged: order, words, icons, groups and links of one’s own, hidden pages', async () => {
    const operator = await server.as('operator')
    await save(
      await changed((tree) => [
        {
          kind: 'group',
          id: groupId,
          titles: { en: 'Build', fr: 'Construire' },
          icon: 'workflow',
          children: [
            { kind: 'page', path: '/cms/workflow/list', titles: { en: 'Flows' } },
            { kind: 'link', id: linkId, titles: { en: 'Handbook' }, url: 'https://example.org/handbook' },
          ],
        },
        ...tree.map((entry): MenuEntry => {
          if (entry.kind !== 'page') return entry
          if (entry.path === '/dashboard') return { ...entry, hidden: true }
          const children = entry.children?.filter(
            (child) => child.kind !== 'page' || child.path !== '/cms/workflow/list',
          )
          return { ...entry, ...(children ? { children } : {}) }
        }),
      ]),
    )
    for (const person of [admin, operator]) {
      const menu = await seenBy(person)
      expect(paths(menu)[0]).toBe(`/group/${groupId}`)
      expect(paths(menu)).not.toContain('/dashboard')
      const [group] = menu
      expect(group).toMatchObject({ redirect: '/cms/workflow/list', meta: { icon: 'workflow' } })
      expect(group?.children?.map(({ name }) => name)).toEqual(['/cms/workflow/list', `/link/${linkId}`])
      expect(find(menu, '/cms/workflow/list')?.meta.title).toEqual({ key: 'page.workflows', en: 'Flows' })
      expect(find(menu, `/link/${linkId}`)?.link).toBe('https://example.org/handbook')
      // What is hidden can still be opened by its address.
      expect(find(menu, '/dashboard')).toMatchObject({ hidden: true, file: 'dashboard' })
      expect(find(menu, '/cms/campaign/info')).toMatchObject({ hidden: true })
      expect(find(menu, '/auth/login')).toBeDefined()
    }
    // A page's right stays its own, wherever it stands.
    expect(find(await seenBy(operator), '/cms/config/system')).toBeUndefined()
    const none = await seenBy(await server.withRules('none', []))
    expect(none.filter(({ path }) => path.startsWith('/group'))).toHaveLength(1)
    expect(find(none, '/cms/workflow/list')).toBeUndefined()
  })

  it('that is broken is refused with each place, and nothing changes', async () => {
    const before = await get()
    const refused = async (tree: unknown) => {
      const error = await refusal(save(tree as MenuTree))
      expect(error.httpStatus).toBe(422)
      return error.body.errors?.map(({ path, code }) => `${path} ${code}`)
    }
    const shipped = before.shippedTree
    const link = { kind: 'link', id: linkId, titles: { en: 'X' }, url: 'https://example.org/' }
    expect(await refused(shipped.slice(1))).toEqual(['tree routes.missing'])
    expect(await refused([...shipped, { kind: 'page', path: '/dashboard' }])).toEqual([
      `tree.${shipped.length} routes.twice`,
    ])
    expect(await refused([...shipped, { kind: 'page', path: '/cms/secret' }])).toEqual([
      `tree.${shipped.length} routes.unknown`,
    ])
    expect(await refused([...shipped, link, link])).toEqual([`tree.${shipped.length + 1} routes.twice`])
    const config = at(shipped, '/cms/config')
    const place = shipped.indexOf(config)
    expect(await refused(shipped.with(place, { ...config, hidden: true }))).toEqual([
      `tree.${place} routes.fixed`,
      expect.stringContaining(`tree.${place}.children.`),
    ])
    const hiddenSystem = structuredClone(shipped)
    const group = hiddenSystem[place]
    if (group?.kind !== 'page') throw new Error('no group')
    const inside = group.children?.findIndex(
      (child) => child.kind === 'page' && child.path === '/cms/config/system',
    )
    const child = group.children?.[inside ?? -1]
    if (child) child.hidden = true
    expect(await refused(hiddenSystem)).toEqual([`tree.${place}.children.${inside} routes.fixed`])
    expect(
      await refused([
        ...shipped.filter((entry) => entry !== config),
        {
          kind: 'group',
          id: groupId,
          titles: { en: 'In' },
          children: [{ kind: 'page', path: '/cms/config' }],
        },
      ]),
    ).toEqual(expect.arrayContaining([`tree.${shipped.length - 1}.children.0 routes.too_deep`]))
    expect(
      await refused(
        shipped.map((entry) =>
          entry.kind === 'page' && entry.path === '/dashboard' ? { ...entry, children: [] } : entry,
        ),
      ),
    ).toEqual([expect.stringMatching(/^tree\.\d+ routes\.shipped_children$/)])
    for (const url of ['http://example.org', 'javascript:alert(1)', 'https://', '//example.org'])
      expect(await refused([...shipped, { ...link, url }])).toEqual([
        `tree.${shipped.length}.url routes.link`,
      ])
    expect(await refused([...shipped, { ...link, titles: {} }])).toEqual([
      `tree.${shipped.length}.titles routes.empty_title`,
    ])
    expect(await refused([...shipped, { ...link, icon: 'unicorn' }])).toEqual([
      `tree.${shipped.length}.icon option`,
    ])
    expect(await get()).toEqual(before)
  })

  it('is saved by one of two who began at the same time', async () => {
    const { version, shippedTree: tree } = await get()
    const other = await server.as('administrator', 'second')
    const attempts = [admin, other].map((by) => by.api(routes).save({ version, tree }))
    const results = await Promise.allSettled(attempts)
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const late = await refusal(other.api(routes).save({ version, tree }))
    expect([late.httpStatus, late.code]).toEqual([409, 'record.stale'])
  })

  it('is kept in versions, and each can be brought back', async () => {
    const { data } = await admin.api(routes).versions({})
    expect(data.map(({ version }) => version)).toEqual([2, 1])
    const back = await admin.api(routes).restore({ version: 2, to: 1 })
    expect(back).toMatchObject({ version: 3, isShipped: false })
    expect(paths(await seenBy(admin))[0]).toBe(`/group/${groupId}`)
    expect(await admin.api(routes).restore({ version: 3, to: 0 })).toMatchObject({
      version: 4,
      isShipped: true,
    })
    expect(paths(await seenBy(admin))[0]).toBe('/dashboard')
    const [newest] = (await admin.api(routes).versions({})).data
    expect(newest).toMatchObject({ version: 4, restored: 0, isShipped: true, by: { id: admin.id } })
    expect((await refusal(admin.api(routes).restore({ version: 4, to: 99 }))).httpStatus).toBe(422)
    const { rows } = await server.deps.pool.query(
      `select label from audit where feature = 'routes' order by at`,
    )
    expect(rows.map(({ label }) => label)).toEqual([
      'routes.save',
      'routes.save',
      'routes.restore',
      'routes.restore',
    ])
  })

  it('is shown as a role would see it, saved or not', async () => {
    const { shippedTree: tree } = await get()
    const last = [...tree.filter((entry) => entry !== at(tree, '/dashboard')), at(tree, '/dashboard')]
    const preview = async (role: string, of?: MenuTree) =>
      paths((await admin.api(routes).preview({ role, ...(of ? { tree: of } : {}) })).routes)
    expect(await preview('viewer')).not.toContain('/cms/user')
    expect((await preview('viewer'))[0]).toBe('/dashboard')
    expect((await preview('viewer', last)).at(-1)).toBe('/dashboard')
    expect(await preview('administrator')).toContain('/cms/user')
    expect((await refusal(admin.api(routes).preview({ role: 'nobody' }))).httpStatus).toBe(422)
  })

  it('is nobody else’s to arrange', async () => {
    const operator = await server.as('operator')
    const { tree, version } = await get()
    for (const call of [
      () => operator.api(routes).get({}),
      () => operator.api(routes).save({ version, tree }),
      () => operator.api(routes).restore({ version, to: 0 }),
      () => operator.api(routes).preview({ role: 'viewer' }),
    ])
      expect((await refusal(call())).code).toBe('access.denied')
  })
})

describe('an upgrade', () => {
  it('puts its new pages where they are shipped, and takes away those that are gone', () => {
    const shipped = shippedTree(ROUTES)
    const group: MenuEntry = {
      kind: 'group',
      id: groupId,
      titles: { en: 'Old' },
      children: [{ kind: 'page', path: '/gone' }],
    }
    const stored = shipped
      .filter((entry) => entry.kind !== 'page' || entry.path !== '/dashboard')
      .map((entry) =>
        entry.kind === 'page' && entry.path === '/cms/resource' ? { ...entry, children: [] } : entry,
      )
    const merged = mergedTree([group, ...stored], ROUTES)
    expect(merged[0]).toEqual({ ...group, children: [] })
    expect(merged.at(-1)).toMatchObject({ path: '/dashboard' })
    expect(at(merged, '/cms/resource')).toEqual(at(shipped, '/cms/resource'))
  })
})

it('a group leads to the first of its pages that somebody may see', async () => {
  const auditor = await server.withRules('auditor', [{ action: 'VIEW', subject: 'AUDIT' }])
  expect(find(await seenBy(auditor), '/cms/config')?.redirect).toBe('/cms/config/audit')
})
