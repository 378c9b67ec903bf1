import { afterAll, beforeAll, expect, it } from 'vitest'
import { access } from '@weft/contract/access/api'
import { AVATAR_MAX_BYTES, avatars } from '@weft/contract/access/avatar/api'
import { refusal } from '../../../testing/browser.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
const SVG = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

it('is set, seen by who may see the person, kept by browsers, and taken away', async () => {
  const ann = await server.as('viewer', 'ann')
  expect((await ann.api(access).info({})).user.avatar).toBeNull()
  expect((await refusal(ann.api(avatars).get({ id: ann.id }))).code).toBe('record.not_found')

  const { avatar } = await ann.api(avatars).set({}, { body: PNG })
  expect((await ann.api(access).info({})).user.avatar).toBe(avatar)
  const picture = await ann.api(avatars).get({ id: ann.id, v: avatar })
  expect(new Uint8Array(await picture.arrayBuffer())).toEqual(PNG)
  expect(Object.fromEntries(picture.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'private, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  const other = await ann.api(avatars).get({ id: ann.id, v: 'an older one' })
  expect(other.headers.get('cache-control')).toBe('private, no-cache')

  const admin = await server.as('administrator')
  expect((await admin.api(avatars).get({ id: ann.id })).status).toBe(200)
  const ben = await server.as('viewer', 'ben')
  expect((await refusal(ben.api(avatars).get({ id: ann.id }))).httpStatus).toBeGreaterThanOrEqual(403)

  await ann.api(avatars).remove({})
  expect((await ann.api(access).info({})).user.avatar).toBeNull()
})

it('is a picture and not a large one', async () => {
  const ann = await server.as('viewer', 'ann')
  const code = async (body: Uint8Array<ArrayBuffer>) =>
    (await refusal(ann.api(avatars).set({}, { body }))).code
  expect(await code(SVG)).toBe('request.unsupported_type')
  expect(await code(new Uint8Array())).toBe('request.unsupported_type')
  const large = new Uint8Array(AVATAR_MAX_BYTES + 1)
  large.set(PNG)
  expect(await code(large)).toBe('request.too_large')
})
