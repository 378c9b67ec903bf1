import { expect, test } from 'vitest'
import type { RouteNode } from '@weft/contract/system/schema'
import { buildMenu, isActive } from './menu.ts'
import { buildRoutes, filePath, isShippedPage, pageName } from './route-table.ts'

const node = (path: string, more: Partial<RouteNode> = {}): RouteNode => ({
  name: path,
  path,
  meta: { title: path, resource: 'ACCOUNT' },
  ...more,
})
const files = [
  'dashboard',
  'cms/resource/accounts',
  'cms/resource/accounts/new',
  'cms/resource/accounts/$id',
  'cms/campaign/editor/index',
  'cms/campaign/editor/$id',
  'cms/campaign/list',
  'cms/campaign/list.test',
]

test('file names become paths', () => {
  expect(pageName('../pages/cms/resource/accounts/$id.tsx')).toBe('cms/resource/accounts/$id')
  expect(filePath('accounts/$id/history')).toBe('accounts/:id/history')
  expect(filePath('editor/index')).toBe('editor')
})

test('page files below a page are shown inside it', () => {
  const [route] = buildRoutes([node('/cms/resource/accounts', { file: 'cms/resource/accounts' })], files)
  expect(route).toMatchObject({ path: '/cms/resource/accounts', file: 'cms/resource/accounts' })
  expect(route?.inside.map(({ path }) => path)).toEqual(['new', ':id'])
})

test('page files beside an index stand on their own, with the rights of the node', () => {
  const group = node('/cms/campaign', {
    redirect: '/cms/campaign/list',
    children: [
      node('/cms/campaign/list', { file: 'cms/campaign/list' }),
      node('/cms/campaign/editor', { file: 'cms/campaign/editor' }),
    ],
  })
  const routes = buildRoutes([group], files)
  expect(routes.map(({ path, redirect }) => redirect ?? path)).toEqual([
    '/cms/campaign/list',
    '/cms/campaign/list',
    '/cms/campaign/editor',
    '/cms/campaign/editor/:id',
  ])
  expect(routes.at(-1)?.chain).toHaveLength(2)
})

test('a node whose page file is not shipped is left out', () => {
  expect(buildRoutes([node('/cms/fashion', { file: 'cms/fashion' })], files)).toEqual([])
})

test('a shipped page is told apart from a path that leads nowhere', () => {
  expect(isShippedPage('/cms/campaign/editor/0190', files)).toBe(true)
  expect(isShippedPage('/cms/campaign/editor', files)).toBe(true)
  expect(isShippedPage('/cms/campaign/nothing', files)).toBe(false)
})

test('the menu shows what is allowed; a group when any child is, and a group of one as that one', () => {
  const list = [
    node('/dashboard', { file: 'dashboard', meta: { title: 'd', resource: 'REPORT' }, order: 2 }),
    node('/cms/campaign', {
      order: 1,
      meta: { title: 'c' },
      children: [
        node('/cms/campaign/list', { file: 'cms/campaign/list', meta: { title: 'l', resource: 'CAMPAIGN' } }),
        node('/cms/campaign/editor', { file: 'x', hidden: true }),
      ],
    }),
    node('/auth/login', { file: 'auth/login', meta: { title: 'login', layout: 'blank' } }),
  ]
  expect(buildMenu(list, () => true).map(({ name, to }) => [name, to])).toEqual([
    ['/cms/campaign', '/cms/campaign/list'],
    ['/dashboard', '/dashboard'],
  ])
  expect(buildMenu(list, (_action, subject) => subject === 'REPORT').map(({ name }) => name)).toEqual([
    '/dashboard',
  ])
})

test('an entry is active on its page and on the pages under it', () => {
  const item = { name: '/a', title: '', icon: undefined, to: '/a', group: undefined, children: [] }
  expect(isActive(item, '/a/1')).toBe(true)
  expect(isActive(item, '/ab')).toBe(false)
})
