import { afterAll, beforeAll, expect, it } from 'vitest'
import { preferences } from '@weft/contract/preferences/api'
import { refusal } from '../../testing/browser.ts'
import type { TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let ann: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  ann = await server.as('viewer', 'ann')
})
afterAll(() => server.stop())

it('keeps what was chosen, key by key, the later change of a key over the earlier', async () => {
  expect(await ann.api(preferences).get({})).toEqual({})
  await ann.api(preferences).change({ theme: 'light', isNavbarBlurEnabled: false })
  // A second device that knew nothing of the first changes something else.
  await ann.api(preferences).change({ skin: 'bordered', theme: 'system' })
  const whole = { theme: 'system', skin: 'bordered', isNavbarBlurEnabled: false }
  expect(await ann.api(preferences).change({})).toEqual(whole)
  expect(await ann.api(preferences).get({})).toEqual(whole)
})

it('is each person’s own', async () => {
  const bea = await server.as('viewer', 'bea')
  expect(await bea.api(preferences).get({})).toEqual({})
  expect((await refusal(server.anonymous.api(preferences).get({}))).httpStatus).toBe(401)
})

it('refuses what is no choice', async () => {
  for (const wrong of [{ theme: 'purple' }, { isNavbarBlurEnabled: 'yes' }, { nothing: true }]) {
    const response = await fetch(`${server.url}${preferences.change.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(wrong),
    })
    expect(response.status).toBe(422)
  }
})

it('takes a value that an older version kept and that is no choice any more as not chosen', async () => {
  await server.deps.pool.query(
    `insert into user_preference (user_id, name, value) values ($1, 'footerType', '"round"'), ($1, 'gone', 'true')`,
    [ann.id],
  )
  expect(await ann.api(preferences).get({})).not.toHaveProperty('footerType')
})
