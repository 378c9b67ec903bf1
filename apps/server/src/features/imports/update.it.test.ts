import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@weft/contract/accounts/api'
import type { Rule } from '@weft/contract/core/permissions'
import { imports } from '@weft/contract/imports/api'
import { codeOf } from '../../testing/browser.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { applied } from './testing/applied.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const OWN: Pick<Rule, 'subject' | 'conditions'> = {
  subject: 'ACCOUNT',
  conditions: { ownerId: '${user.id}' },
}

test('a limit that a file does not name stays as it is', async () => {
  const ann = await server.as('operator', 'ann')
  const api = ann.api(accounts)
  const limits = { perDay: 10, perHour: 3, cooldownMinutes: null, quietHours: '22:00-06:00' }
  const { id } = await api.create({ type: 'x', username: 'limited', limits })
  const done = await applied(ann, api, ['type,username,limits.perDay', 'x,limited,20', 'x,unlimited,5'])
  expect(done).toMatchObject({ created: 1, updated: 1 })
  expect((await api.get({ id })).limits).toEqual({ ...limits, perDay: 20 })
  const [line] = (await api.history({ id })).data
  expect(line).toMatchObject({ before: { limits }, after: { limits: { ...limits, perDay: 20 } } })
  const [made] = (await api.list({ q: 'unlimited' })).data
  expect(made?.limits).toEqual({ perDay: 5, perHour: null, cooldownMinutes: null, quietHours: null })
  await ann.api(imports).undo({ id: done.id })
  expect((await api.get({ id })).limits).toEqual(limits)
})

test('only fields that one may change are changed: a row that changes another is refused', async () => {
  const pat = await server.withRules('pat', [
    { action: ['VIEW', 'CREATE', 'IMPORT'], ...OWN },
    { action: 'UPDATE', ...OWN, fields: ['notes'] },
  ])
  const api = pat.api(accounts)
  const made = []
  for (const username of ['noted', 'renamed', 'sealed', 'same'])
    made.push(await api.create({ type: 'x', username, displayName: 'Before', password: 'first-secret' }))
  const done = await applied(pat, api, [
    'type,username,displayName,password,notes',
    'x,noted,,,after',
    'x,renamed,After,,after',
    'x,sealed,,second-secret,after',
    'x,same,Before,,after',
  ])
  expect(done).toMatchObject({ updated: 2, refused: 2 })
  const now = await Promise.all(made.map(({ id }) => api.get({ id })))
  expect(now.map(({ displayName, notes, version }) => [displayName, notes, version])).toEqual([
    ['Before', 'after', 2],
    ['Before', '', 1],
    ['Before', '', 1],
    ['Before', 'after', 2],
  ])
  // Where none of the columns may be changed, nothing is begun.
  const other = await api.import({}, { body: 'type,username,displayName\nx,noted,After\n' })
  const taking = { id: other.import.id, take: 'good', duplicates: 'update' } as const
  expect(await codeOf(pat.api(imports).apply(taking))).toBe('access.denied')
})
