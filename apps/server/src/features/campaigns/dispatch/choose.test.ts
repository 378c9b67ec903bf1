import { describe, expect, it } from 'vitest'
import { Choice, type Candidate, type Facts } from './choose.ts'

const free: Facts = {
  blocked: new Set(),
  slots: new Map(),
  sitesOf: () => [],
  siteRoom: () => Infinity,
}
const item = (id: string, binds: Partial<Candidate> = {}): Candidate => ({
  id,
  account_id: `account of ${id}`,
  profile_id: null,
  proxy_id: null,
  phone_id: null,
  video_id: null,
  ...binds,
})
function chosen(room: number, facts: Facts, ...looks: Candidate[][]): string[] {
  const choice = new Choice(room)
  for (const look of looks) choice.weigh(look, facts)
  return choice.chosen.map((entry) => entry.item.id)
}

describe('which items begin', () => {
  it('are the first, as many as there is room for', () => {
    expect(chosen(2, free, [item('a'), item('b'), item('c')])).toEqual(['a', 'b'])
    expect(chosen(3, free, [item('a'), item('b')], [item('c'), item('d')])).toEqual(['a', 'b', 'c'])
  })

  it('never bind the same twice, in any look', () => {
    const shared = { profile_id: 'p' }
    expect(chosen(9, free, [item('a', shared), item('b', shared)], [item('c', shared), item('d')])).toEqual([
      'a',
      'd',
    ])
  })

  it('are those after a blocked one', () => {
    const facts = { ...free, blocked: new Set(['a']) }
    expect(chosen(1, facts, [item('a'), item('b')])).toEqual(['b'])
  })

  it('take a proxy’s slots one by one, and go on with others when it has none left', () => {
    const through = { proxy_id: 'x' }
    const choice = new Choice(9)
    const facts = { ...free, slots: new Map([['x', [3, 5]]]) }
    choice.weigh([item('a', through), item('b', through)], facts)
    choice.weigh([item('c', through), item('d', { proxy_id: 'boundless' })], facts)
    expect(choice.chosen.map(({ item: { id }, leases }) => [id, leases.at(-1)])).toEqual([
      ['a', { kind: 'proxy', resourceId: 'x', slot: 3 }],
      ['b', { kind: 'proxy', resourceId: 'x', slot: 5 }],
      ['d', { kind: 'account', resourceId: 'account of d', slot: 0 }],
    ])
  })

  it('stay within the pace of each domain', () => {
    const facts = {
      ...free,
      sitesOf: ({ id }: Candidate) => (id === 'd' ? ['calm'] : ['busy', 'calm']),
      siteRoom: (site: string) => (site === 'busy' ? 2 : 3),
    }
    expect(chosen(9, facts, [item('a'), item('b'), item('c'), item('d')])).toEqual(['a', 'b', 'd'])
  })
})
