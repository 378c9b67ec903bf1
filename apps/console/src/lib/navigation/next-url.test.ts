import { expect, test } from 'vitest'
import { safeNextUrl, signInUrl } from './next-url.ts'

const origin = 'https://weft.example'

test('a path of this console is taken with its query and hash', () => {
  expect(safeNextUrl('/cms/campaign/list?page=2#top', origin)).toBe('/cms/campaign/list?page=2#top')
})

test.each([
  'https://elsewhere.example/',
  '//elsewhere.example',
  '/\\elsewhere.example',
  '\\\\elsewhere.example',
  'javascript:alert(1)',
  '/\tpath',
  '/..//elsewhere.example',
  'cms/campaign',
  '',
  null,
  undefined,
])('%j is not', (value) => {
  expect(safeNextUrl(value, origin)).toBeNull()
})

test('the sign-in pages are no place to come back to', () => {
  expect(safeNextUrl('/login?nextUrl=/x', origin)).toBeNull()
  expect(safeNextUrl('/auth/login', origin)).toBeNull()
})

test('the sign-in carries the path, but not the root', () => {
  expect(signInUrl('/cms/project/list?page=2', origin)).toBe(
    '/login?nextUrl=%2Fcms%2Fproject%2Flist%3Fpage%3D2',
  )
  expect(signInUrl('/', origin)).toBe('/login')
})
