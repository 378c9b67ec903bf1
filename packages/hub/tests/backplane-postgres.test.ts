import { describe, expect, test } from 'vitest'
import type { BackplaneMessage } from '../src/backplane.ts'
import { backplaneDdl, createPostgresBackplane } from '../src/backplane-postgres.ts'
import { FakeClock } from './support/fake-clock.ts'
import { sleep } from './support/server.ts'

interface Row {
  id: string
  target: string
  record: string
}

/** A table with NOTIFY as Postgres has it: rows show, and notices go out, when their transaction commits. */
function fakeDatabase() {
  const rows: Row[] = []
  const listeners = new Set<() => void>()
  let nextId = 1
  let cutOff = false
  const statements: string[] = []
  const add = (targets: string[], records: string[]): Row[] =>
    targets.map((target, i) => ({ id: String(nextId++), target, record: records[i] ?? '' }))
  const commit = (added: Row[]): void => {
    rows.push(...added)
    rows.sort((a, b) => Number(a.id) - Number(b.id))
    if (!cutOff) for (const notice of listeners) queueMicrotask(notice)
  }
  return {
    rows,
    statements,
    add,
    commit,
    cutOff: (off: boolean) => (cutOff = off),
    burnId: () => (nextId += 1),
    sql: {
      async query(sql: string, params: unknown[]) {
        statements.push(sql)
        await sleep(1)
        if (sql.startsWith('WITH input')) commit(add(params[0] as string[], params[1] as string[]))
        if (sql.includes('max(id), 0'))
          return { rows: [{ id: rows.at(-1)?.id ?? 0, target: '', record: '' }] }
        if (!sql.startsWith('SELECT id')) return { rows: [] }
        const [last, gaps] = params as [number, number[]]
        return { rows: rows.filter(({ id }) => Number(id) > last || gaps.includes(Number(id))) }
      },
    },
    listener: {
      async listen(_channel: string, fn: () => void) {
        listeners.add(fn)
        return async () => void listeners.delete(fn)
      },
    },
  }
}

const message = (n: number): BackplaneMessage => ({
  kind: 'record',
  from: 'x',
  target: { to: 'all' },
  record: String(n),
})
const head = JSON.stringify({ kind: 'record', from: 'x', target: { to: 'all' } })

async function node(db: ReturnType<typeof fakeDatabase>, clock = new FakeClock()) {
  const got: string[] = []
  const plane = createPostgresBackplane({ sql: db.sql, listener: db.listener, clock })
  await plane.start((one) => void got.push(one.kind === 'record' ? one.record : one.kind))
  return { plane, got, clock }
}

describe('the Postgres backplane', () => {
  test('brings every message to every node, the sender too, in the order of publishing', async () => {
    const db = fakeDatabase()
    const [a, b] = [await node(db), await node(db)]
    await Promise.all(Array.from({ length: 1200 }, (_, i) => a.plane.publish(message(i))))
    await sleep(30)
    const expected = Array.from({ length: 1200 }, (_, i) => String(i))
    expect(a.got).toEqual(expected)
    expect(b.got).toEqual(expected)
    // Many share a statement.
    expect(db.statements.filter((sql) => sql.startsWith('WITH input'))).toHaveLength(3)
    await a.plane.stop()
    await a.plane.publish(message(5000))
    await sleep(20)
    expect(b.got.at(-1)).toBe('5000')
    expect(a.got).toEqual(expected)
    await b.plane.stop()
  })

  test('does not bring what was there before', async () => {
    const db = fakeDatabase()
    db.commit(db.add([head], ['old']))
    const a = await node(db)
    await a.plane.publish(message(1))
    await sleep(20)
    expect(a.got).toEqual(['1'])
    await a.plane.stop()
  })

  test('finds a row that became visible after a later one, once', async () => {
    const db = fakeDatabase()
    const a = await node(db)
    const slow = db.add([head], ['slow'])
    db.commit(db.add([head], ['quick']))
    await sleep(20)
    expect(a.got).toEqual(['quick'])
    db.commit(slow)
    await sleep(20)
    db.commit(db.add([head], ['next']))
    await sleep(20)
    expect(a.got).toEqual(['quick', 'slow', 'next'])
    await a.plane.stop()
  })

  test('stops looking for an id that was never committed', async () => {
    const db = fakeDatabase()
    const a = await node(db)
    const never = db.add([head], ['never'])
    db.commit(db.add([head], ['1']))
    await sleep(20)
    await a.clock.advance(12_000)
    db.commit(never)
    await sleep(20)
    expect(a.got).toEqual(['1'])
    await a.plane.stop()
  })

  test('reads what it missed when the notices come no more', async () => {
    const db = fakeDatabase()
    const a = await node(db)
    db.cutOff(true)
    db.commit(db.add([head, head], ['1', '2']))
    await sleep(20)
    expect(a.got).toEqual([])
    await a.clock.advance(6_000)
    expect(a.got).toEqual(['1', '2'])
    await a.plane.stop()
  })

  test('ignores what it does not understand', async () => {
    const db = fakeDatabase()
    const a = await node(db)
    db.commit(db.add(['{}', 'x', '{"kind":"new","from":"x"}', head], ['', '', '', 'good']))
    await sleep(20)
    expect(a.got).toEqual(['good'])
    await a.plane.stop()
  })

  test('tells the sender when the database does not take a message, and goes on', async () => {
    const db = fakeDatabase()
    let broken = true
    const plane = createPostgresBackplane({
      listener: db.listener,
      sql: {
        query: async (sql, params) => {
          if (broken && sql.startsWith('WITH')) throw new Error('down')
          return db.sql.query(sql, params)
        },
      },
    })
    await expect(plane.publish(message(1))).rejects.toThrow('down')
    broken = false
    await plane.publish(message(2))
    expect(db.rows.map(({ record }) => record)).toEqual(['2'])
    await plane.stop()
  })

  test('takes only a plain name for its table', () => {
    expect(backplaneDdl('hub_agents')).toContain('CREATE TABLE IF NOT EXISTS hub_agents')
    expect(() => backplaneDdl('x; DROP TABLE users')).toThrow()
  })
})
