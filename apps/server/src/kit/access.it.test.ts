import { eq, sql } from 'drizzle-orm'
import { boolean, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Rule } from '@weft/contract/core/permissions'
import { openPool, type Db } from '../db/connection.ts'
import { testDatabase, type TestDatabase } from '../testing/cluster.ts'
import { Through } from './access-through.ts'
import { decisionsFor } from './access.ts'
import { newId } from './id.ts'

const thing = pgTable('thing', {
  id: uuid().primaryKey(),
  ownerId: uuid('owner_id'),
  state: text(),
  size: integer(),
  hidden: boolean(),
  at: timestamp({ withTimezone: true, precision: 3 }),
  homeId: uuid('home_id'),
})
/** What things are in; a rule compares its name as the thing's own. */
const home = pgTable('home', { id: uuid().primaryKey(), name: text() })
type Thing = typeof thing.$inferSelect
const columns = {
  id: thing.id,
  ownerId: thing.ownerId,
  state: thing.state,
  size: thing.size,
  hidden: thing.hidden,
  at: thing.at,
  home: new Through(
    home.name,
    (condition) => sql`${thing.homeId} in (select ${home.id} from ${home} where ${condition})`,
  ),
}

let database: TestDatabase
let pool: Pool
let db: Db

beforeAll(async () => {
  database = await testDatabase({ empty: true })
  ;({ pool, db } = openPool(database.address, { max: 2, onBroken: () => {} }))
  await db.execute(sql`create table thing (id uuid primary key, owner_id uuid, state text, size integer,
    hidden boolean, at timestamptz(3), home_id uuid)`)
  await db.execute(sql`create table home (id uuid primary key, name text)`)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

/** Numbers that look random and are the same each time. */
function dice(seed: number) {
  let state = seed
  return (sides: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

const ME = newId()
const OTHER = newId()
const VALUES = {
  ownerId: [ME, OTHER, null, '${user.id}', 'not-a-uuid', 4],
  state: ['new', 'ready', 'Ready', 'éte', '', null, 'z', 7],
  size: [0, 1, 5, -3, null, 'five'],
  hidden: [true, false, null, 'true'],
  at: ['2026-01-01T00:00:00.000Z', '2026-06-01T12:00:00.000Z', null],
  home: ['here', 'there', null, 3],
  missing: ['x', null],
} as const
const ROWS = {
  ownerId: [ME, OTHER, null],
  state: ['new', 'ready', 'Ready', 'éte', '', null, 'z'],
  size: [0, 1, 5, -3, null],
  hidden: [true, false, null],
  at: [new Date('2026-01-01'), new Date('2026-06-01T12:00:00Z'), null],
} as const

function randomRules(roll: (sides: number) => number): Rule[] {
  const pick = <T>(list: readonly T[]): T => list[roll(list.length)] as T
  const condition = () => {
    const field = pick(['ownerId', 'state', 'size', 'hidden', 'at', 'home', 'missing'] as const)
    const value = () => pick<string | number | boolean | null>(VALUES[field])
    const operator = pick(['bare', '$eq', '$ne', '$in', '$nin', '$lt', '$lte', '$gt', '$gte'] as const)
    if (operator === 'bare') return { [field]: value() }
    if (operator === '$in' || operator === '$nin')
      return { [field]: { [operator]: Array.from({ length: roll(4) }, value) } }
    return { [field]: { [operator]: value() } }
  }
  return Array.from({ length: 1 + roll(4) }, () => ({
    action: pick(['VIEW', 'UPDATE', ['VIEW', 'UPDATE'] as ('VIEW' | 'UPDATE')[]] as const) as Rule['action'],
    subject: pick([
      'PROJECT',
      'all',
      ['PROJECT', 'CLIENT'] as ('PROJECT' | 'CLIENT')[],
    ] as const) as Rule['subject'],
    inverted: roll(3) === 0,
    ...(roll(4) === 0
      ? {}
      : { conditions: Object.assign({}, ...Array.from({ length: 1 + roll(2) }, condition)) }),
  }))
}

describe('rules', () => {
  it('decide the same in memory and in SQL', async () => {
    const roll = dice(20_261_121)
    const pick = <T>(list: readonly T[]): T => list[roll(list.length)] as T
    const homes = (['here', 'there', null] as const).map((name) => ({ id: newId(), name }))
    await db.insert(home).values(homes)
    const rows: Thing[] = Array.from({ length: 120 }, () => ({
      id: newId(),
      ownerId: pick(ROWS.ownerId),
      state: pick(ROWS.state),
      size: pick(ROWS.size),
      hidden: pick(ROWS.hidden),
      at: pick(ROWS.at),
      homeId: pick([...homes.map(({ id }) => id), null]),
    }))
    await db.insert(thing).values(rows)
    const seen = rows.map((row) => ({
      ...row,
      home: homes.find(({ id }) => id === row.homeId)?.name ?? null,
    }))
    let allowed = 0
    for (let round = 0; round < 400; round++) {
      const rules = randomRules(roll)
      const { can, scope } = decisionsFor(rules, ME)
      const inMemory = seen.filter((row) => can('VIEW', 'PROJECT', row)).map((row) => row.id)
      const inSql = await db
        .select({ id: thing.id })
        .from(thing)
        .where(scope('VIEW', 'PROJECT', columns))
      expect({ rules, ids: inSql.map((row) => row.id).sort() }).toEqual({ rules, ids: inMemory.sort() })
      allowed += inMemory.length
    }
    // Neither "always" nor "never" is what was compared.
    expect(allowed).toBeGreaterThan(400 * 120 * 0.1)
    expect(allowed).toBeLessThan(400 * 120 * 0.9)
  })

  it('let an operator act on own records and a viewer only look', () => {
    const operator = decisionsFor(
      [{ action: ['VIEW', 'UPDATE'], subject: 'PROJECT', conditions: { ownerId: '${user.id}' } }],
      ME,
    )
    expect(operator.can('UPDATE', 'PROJECT')).toBe(true)
    expect(operator.can('UPDATE', 'PROJECT', { ownerId: ME })).toBe(true)
    expect(operator.can('UPDATE', 'PROJECT', { ownerId: OTHER })).toBe(false)
    expect(operator.can('DELETE', 'PROJECT')).toBe(false)
    expect(decisionsFor([], null).can('VIEW', 'AUTH')).toBe(true)
  })

  it('never give a person without an id what belongs to nobody', () => {
    const nobody = decisionsFor(
      [{ action: 'VIEW', subject: 'PROJECT', conditions: { ownerId: '${user.id}' } }],
      null,
    )
    expect(nobody.can('VIEW', 'PROJECT', { ownerId: null })).toBe(false)
  })

  it('forbid single fields', () => {
    const { can } = decisionsFor(
      [
        { action: 'UPDATE', subject: 'PROJECT' },
        { action: 'UPDATE', subject: 'PROJECT', fields: ['budget'], inverted: true },
      ],
      ME,
    )
    expect(can('UPDATE', 'PROJECT', { ownerId: ME }, 'budget')).toBe(false)
    expect(can('UPDATE', 'PROJECT', { ownerId: ME }, 'name')).toBe(true)
  })

  it('narrow a query by a joined condition as any other', async () => {
    const { scope } = decisionsFor([{ action: 'VIEW', subject: 'CLIENT' }], ME)
    const rows = await db
      .select()
      .from(thing)
      .where(sql`${scope('VIEW', 'PROJECT', columns)} or ${eq(thing.id, OTHER)}`)
    expect(rows).toEqual([])
  })
})
