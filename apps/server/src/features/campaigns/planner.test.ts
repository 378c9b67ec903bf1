import { describe, expect, it } from 'vitest'
import { plan, type Candidate, type Kind, type Sets } from './planner.ts'

const make = (prefix: string, count: number, extra: Partial<Candidate> = {}): Candidate[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `${prefix}${index}`,
    name: `${prefix} ${index}`,
    usable: true,
    status: 'ready',
    ...extra,
  }))
const sets = (given: Partial<Sets>): Sets => ({
  account: [],
  profile: [],
  proxy: [],
  phone: [],
  video: [],
  ...given,
})
const none = { account: 'none', profile: 'none', proxy: 'none', phone: 'none', video: 'none' } as const
const nothing = () => undefined
const run = (...args: Parameters<typeof plan>) => {
  const all = [...plan(...args)]
  return {
    items: all.flatMap((entry) => ('item' in entry ? [entry.item] : [])),
    exclusions: all.flatMap((entry) => ('exclusion' in entry ? [entry.exclusion] : [])),
  }
}

describe('the plan of a campaign', () => {
  it('makes one item per usable account and says why another is left out', () => {
    const accounts = [
      ...make('a', 2),
      { ...make('x', 1)[0], id: 'x', name: 'x', usable: false, status: 'paused' },
    ]
    const { items, exclusions } = run({ ...none, per: 'account' }, sets({ account: accounts }), nothing)
    expect(items.map((item) => item.account?.id)).toEqual(['a0', 'a1'])
    expect(exclusions).toEqual([
      {
        kind: 'accounts',
        id: 'x',
        name: 'x',
        code: 'plan.account_not_usable',
        params: { status: 'paused' },
      },
    ])
  })
  it('gives partners in turn', () => {
    const { items } = run(
      { ...none, per: 'account', profile: 'turn' },
      sets({ account: make('a', 5), profile: make('p', 2) }),
      nothing,
    )
    expect(items.map((item) => item.profile?.id)).toEqual(['p0', 'p1', 'p0', 'p1', 'p0'])
  })
  it('pairs one to one until a side ends', () => {
    const { items, exclusions } = run(
      { ...none, per: 'account', video: 'one' },
      sets({ account: make('a', 3), video: make('v', 2) }),
      nothing,
    )
    expect(items.map((item) => item.video?.id)).toEqual(['v0', 'v1'])
    expect(exclusions).toMatchObject([{ id: 'a2', code: 'plan.no_partner', params: { kind: 'video' } }])
  })
  it('follows links, also to a proxy by way of the profile, and excludes where a link leads nowhere', () => {
    const known = new Map([
      ['profile:p', { id: 'p', name: 'p', usable: true, status: 'ready', proxyId: 'x' }],
      ['proxy:x', { id: 'x', name: 'x', usable: true, status: 'healthy' }],
    ])
    const linked = (kind: Kind, id: string) => known.get(`${kind}:${id}`)
    const accounts = [
      ...make('a', 1, { profileId: 'p' }),
      ...make('b', 1, { profileId: 'gone' }),
      ...make('c', 1),
    ]
    const { items, exclusions } = run(
      { ...none, per: 'account', profile: 'link', proxy: 'link' },
      sets({ account: accounts }),
      linked,
    )
    expect(items.map((item) => [item.account?.id, item.profile?.id ?? null, item.proxy?.id ?? null])).toEqual(
      [
        ['a0', 'p', 'x'],
        ['c0', null, null],
      ],
    )
    expect(exclusions).toMatchObject([{ id: 'b0', code: 'plan.link_missing', params: { kind: 'profile' } }])
  })
})
