import { PgDialect } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { anyOf, recordset } from './recordset.ts'

const dialect = new PgDialect()

it('gives rows column by column, whatever their number, under one text', () => {
  const columns = { id: 'uuid', note: 'jsonb', n: 'int' } as const
  const one = dialect.sqlToQuery(
    sql`select * from ${recordset(columns, [{ id: 'a', note: { b: 1 }, n: 2 }])}`,
  )
  const two = dialect.sqlToQuery(
    sql`select * from ${recordset(columns, [
      { id: 'a', note: null, n: null },
      { id: 'c', note: [1], n: 3 },
    ])}`,
  )
  expect(one.sql).toBe('select * from unnest($1::uuid[], $2::jsonb[], $3::int[]) as v ("id", "note", "n")')
  expect(two.sql).toBe(one.sql)
  expect(two.params).toEqual([
    ['a', 'c'],
    [null, '[1]'],
    [null, 3],
  ])
})

it('compares with any number of ids under one text', () => {
  expect(dialect.sqlToQuery(sql`id = ${anyOf(['a', 'b'])}`)).toMatchObject({
    sql: 'id = any($1::uuid[])',
    params: [['a', 'b']],
  })
})
