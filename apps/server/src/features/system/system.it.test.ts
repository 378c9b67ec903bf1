import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ANONYMOUS_RULES } from '@weft/contract/core/permissions'
import { system } from '@weft/contract/system/api'
import type { RouteNode } from '@weft/contract/system/schema'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { ROUTES } from './routes.ts'
import { changeSetting } from './settings.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const names = (routes: readonly RouteNode[]): string[] =>
  routes.flatMap((route) => [route.name, ...names(route.children ?? [])])
const routesOf = async (person: { api: TestServer['anonymous']['api'] }) =>
  names((await person.api(system).config({})).routes)

describe('the routes', () => {
  it('are named by their paths, each once, and lead where there is something', () => {
    const all = names(ROUTES)
    expect(new Set(all).size).toBe(all.length)
    const check = (route: RouteNode): void => {
      expect(route.path).toBe(route.name)
      expect(route.file === undefined).not.toBe(route.redirect === undefined)
      if (route.redirect !== undefined) expect(all).toContain(route.redirect)
      for (const child of route.children ?? []) check(child)
    }
    for (const route of ROUTES) check(route)
  })

  it('are all there for an administrator, and for a visitor, who is sent to sign in', async () => {
    expect(await routesOf(await server.as('administrator'))).toEqual(names(ROUTES))
    expect(await routesOf(server.anonymous)).toEqual(names(ROUTES))
  })

  it('leave out what a person may not see, and groups of which nothing is left', async () => {
    const viewer = await routesOf(await server.as('viewer'))
    expect(viewer).toContain('/cms/campaign/list')
    expect(viewer).not.toContain('/cms/campaign/new')
    const nobody = await routesOf(await server.withRules('nobody', ANONYMOUS_RULES))
    expect(nobody).toEqual(expect.arrayContaining(['/auth/login', '/error/404', '/page']))
    expect(nobody.filter((name) => name.startsWith('/cms') || name === '/dashboard')).toEqual([
      '/cms/user/settings',
    ])
  })
})

describe('a setting', () => {
  it('that is changed holds at once', async () => {
    const read = () => server.anonymous.api(system).config({})
    expect(await read()).toMatchObject({ siteName: 'WEFT', systemStatus: 1, practiceUrl: null })
    await server.deps.db.transaction((tx) => changeSetting(tx, 'siteName', 'Loom', null))
    await expect.poll(async () => (await read()).siteName).toBe('Loom')
  })

  it('of a wrong kind is refused', async () => {
    await expect(
      server.deps.db.transaction((tx) => changeSetting(tx, 'systemStatus', -1, null)),
    ).rejects.toThrow()
  })
})
