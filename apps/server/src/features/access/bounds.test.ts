import { describe, expect, it } from 'vitest'
import { ACTIONS, BUILT_IN_ROLES, type Rule } from '@weft/contract/core/permissions'
import { decisionsFor } from '../../kit/access.ts'
import { intersectRules, withoutSubjects } from './bounds.ts'

const OWN = { ownerId: '${user.id}' }
const allows = (rules: readonly Rule[], id: string, record?: object, field?: string) =>
  decisionsFor(rules, id).can('UPDATE', 'ACCOUNT', record, field)

describe('what two sets of rules both allow', () => {
  it('is nothing that only one of them allows', () => {
    const both = intersectRules(BUILT_IN_ROLES.operator, BUILT_IN_ROLES.viewer)
    expect(decisionsFor(both, 'me').can('VIEW', 'CAMPAIGN', { ownerId: 'me' })).toBe(true)
    expect(decisionsFor(both, 'me').can('VIEW', 'CAMPAIGN', { ownerId: 'other' })).toBe(false)
    expect(decisionsFor(both, 'me').can('UPDATE', 'CAMPAIGN', { ownerId: 'me' })).toBe(false)
    expect(intersectRules(BUILT_IN_ROLES.operator, [])).toEqual([])
    expect(intersectRules(BUILT_IN_ROLES.operator, BUILT_IN_ROLES.administrator)).toHaveLength(
      BUILT_IN_ROLES.operator.length,
    )
  })

  it('means by own records those of whoever acts', () => {
    const both = intersectRules(
      [{ action: 'UPDATE', subject: 'ACCOUNT' }],
      [{ action: [...ACTIONS], subject: ['ACCOUNT'], conditions: OWN }],
    )
    expect(allows(both, 'below', { ownerId: 'below' })).toBe(true)
    expect(allows(both, 'below', { ownerId: 'above' })).toBe(false)
  })

  it('asks for the conditions and fields of both', () => {
    const rule = (more: Partial<Rule>): Rule => ({ action: 'UPDATE', subject: 'ACCOUNT', ...more })
    const cases: [Partial<Rule>, Partial<Rule>, object, boolean][] = [
      [
        { conditions: { type: 'a' } },
        { conditions: { status: 'ready' } },
        { type: 'a', status: 'ready' },
        true,
      ],
      [
        { conditions: { type: 'a' } },
        { conditions: { status: 'ready' } },
        { type: 'a', status: 'new' },
        false,
      ],
      [{ conditions: { type: 'a' } }, { conditions: { type: 'b' } }, { type: 'a' }, false],
      [{ conditions: { type: { $in: ['a', 'b'] } } }, { conditions: { type: 'b' } }, { type: 'b' }, true],
      [
        { conditions: { type: { $ne: 'a' } } },
        { conditions: { type: { $nin: ['b'] } } },
        { type: 'c' },
        true,
      ],
      [
        { conditions: { type: { $ne: 'a' } } },
        { conditions: { type: { $nin: ['b'] } } },
        { type: 'a' },
        false,
      ],
      [{ conditions: { n: { $gte: 1 } } }, { conditions: { n: { $lt: 5 } } }, { n: 3 }, true],
      [{ conditions: { n: { $gte: 1 } } }, { conditions: { n: { $gte: 2 } } }, { n: 3 }, false],
    ]
    for (const [one, other, record, expected] of cases)
      expect([one, other, allows(intersectRules([rule(one)], [rule(other)]), 'me', record)]).toEqual([
        one,
        other,
        expected,
      ])
    const fields = intersectRules([rule({ fields: ['name', 'notes'] })], [rule({ fields: ['notes'] })])
    expect([allows(fields, 'me', {}, 'notes'), allows(fields, 'me', {}, 'name')]).toEqual([true, false])
    expect(intersectRules([rule({ fields: ['name'] })], [rule({ fields: ['notes'] })])).toEqual([])
  })

  it('never allows what either forbids, whatever the rules: many made at random', () => {
    const random = seeded(7)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const rule = (): Rule => ({
      action: pick([['VIEW'], ['VIEW', 'UPDATE'], ['UPDATE']] as const).map((one) => one),
      subject: pick(['ACCOUNT', 'PROFILE', 'all'] as const),
      ...(random() < 0.5 ? { conditions: { ownerId: pick(['me', '${user.id}', 'you']) } } : {}),
      ...(random() < 0.2 ? { inverted: true } : {}),
    })
    for (let round = 0; round < 500; round += 1) {
      const [one, other] = [Array.from({ length: 3 }, rule), Array.from({ length: 3 }, rule)]
      const both = decisionsFor(intersectRules(one, other), 'me')
      for (const action of ['VIEW', 'UPDATE'] as const)
        for (const subject of ['ACCOUNT', 'PROFILE'] as const)
          for (const ownerId of ['me', 'you', 'them']) {
            const may = (rules: Rule[]) => decisionsFor(rules, 'me').can(action, subject, { ownerId })
            if (both.can(action, subject, { ownerId }))
              expect([one, other, may(one), may(other)]).toEqual([one, other, true, true])
          }
    }
  })
})

it('leaves nothing of functions that are off, and all of the others', () => {
  const rules = withoutSubjects(BUILT_IN_ROLES.administrator, new Set(['PROXY' as const]))
  expect(decisionsFor(rules, 'me').can('VIEW', 'PROXY')).toBe(false)
  expect(decisionsFor(rules, 'me').can('MANAGE', 'USER')).toBe(true)
  expect(withoutSubjects([{ action: 'VIEW', subject: 'PROXY' }], new Set(['PROXY' as const]))).toEqual([])
})

/** Always the same numbers between 0 and 1. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
