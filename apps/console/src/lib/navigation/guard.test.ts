import { describe, expect, test } from 'vitest'
import { decide, type GuardInput } from './guard.ts'

const page: GuardInput = {
  systemStatus: 1,
  pathname: '/cms/campaign/list',
  fullPath: '/cms/campaign/list?page=2',
  origin: 'https://weft.example',
  chain: [
    { resource: 'CAMPAIGN', requireAuth: true },
    { resource: 'CAMPAIGN', action: 'VIEW', requireAuth: true },
  ],
  isShipped: true,
  hasToken: true,
  can: () => true,
}
const at = (path: string) => ({ pathname: path.split('?')[0] ?? path, fullPath: path })
const to = (path: string) => ({ kind: 'redirect', to: path })

describe('a closed system', () => {
  const closed = { ...page, systemStatus: 0 }
  test('sends every page to the maintenance page', () => {
    expect(decide(closed)).toEqual(to('/under-maintenance'))
    expect(decide({ ...closed, ...at('/login'), chain: [{}] })).toEqual(to('/under-maintenance'))
    expect(decide({ ...closed, ...at('/nowhere'), chain: null })).toEqual(to('/under-maintenance'))
  })
  test('leaves the maintenance page and the system page open', () => {
    expect(decide({ ...closed, ...at('/under-maintenance'), chain: [{}] })).toEqual({ kind: 'show' })
    expect(decide({ ...closed, ...at('/system') })).toEqual({ kind: 'show' })
    expect(decide({ ...closed, ...at('/cms/config/system') })).toEqual({ kind: 'show' })
    expect(decide({ ...closed, ...at('/cms/config/route') })).toEqual(to('/under-maintenance'))
  })
  test('lets an administrator sign in for the system page, and for nothing else', () => {
    expect(decide({ ...closed, ...at('/login?nextUrl=%2Fsystem'), chain: [{}] })).toEqual({ kind: 'show' })
    expect(decide({ ...closed, ...at('/login?nextUrl=%2Fdashboard'), chain: [{}] })).toEqual(
      to('/under-maintenance'),
    )
  })
})

test('a running system leads from its maintenance page to the dashboard', () => {
  expect(decide({ ...page, ...at('/under-maintenance') })).toEqual(to('/dashboard'))
})

test('a read-only system is open', () => {
  expect(decide({ ...page, systemStatus: 2 })).toEqual({ kind: 'show' })
})

test('an unknown path leads to 404', () => {
  expect(decide({ ...page, ...at('/nowhere'), chain: null, isShipped: false })).toEqual(to('/error/404'))
})

test('a page that this person is not told of leads to 403, a visitor to the sign-in', () => {
  expect(decide({ ...page, chain: null })).toEqual(to('/error/403'))
  expect(decide({ ...page, chain: null, hasToken: false })).toEqual(
    to('/login?nextUrl=%2Fcms%2Fcampaign%2Flist%3Fpage%3D2'),
  )
})

test('somebody signed in without the right goes to 403, which says what is missing', () => {
  const can: GuardInput['can'] = (_action, subject) => subject !== 'CAMPAIGN'
  expect(decide({ ...page, can })).toEqual({
    kind: 'redirect',
    to: '/error/403',
    missing: { action: 'VIEW', subject: 'CAMPAIGN' },
  })
})

test('every matched route must be allowed', () => {
  const can: GuardInput['can'] = (_action, subject) => subject !== 'PROJECT'
  expect(decide({ ...page, chain: [{ resource: 'PROJECT' }, { resource: 'CAMPAIGN' }], can })).toMatchObject(
    to('/error/403'),
  )
})

test('a visitor on a page that asks for signing in goes there with the way back', () => {
  const visitor = { ...page, hasToken: false, can: () => false }
  expect(decide(visitor)).toEqual(to('/login?nextUrl=%2Fcms%2Fcampaign%2Flist%3Fpage%3D2'))
  expect(decide({ ...visitor, ...at('/') })).toEqual(to('/login'))
})

test('a visitor without the right on a page that does not ask for signing in goes to 403', () => {
  expect(
    decide({ ...page, hasToken: false, can: () => false, chain: [{ resource: 'CAMPAIGN' }] }),
  ).toMatchObject(to('/error/403'))
})

test('a page without needs is open', () => {
  expect(decide({ ...page, hasToken: false, can: () => false, chain: [{ title: 'about' }] })).toEqual({
    kind: 'show',
  })
})
