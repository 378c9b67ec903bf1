import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { expect, it } from 'vitest'
import { expectTablesMatch } from '../testing/tables-match.ts'
import { testDatabase } from '../testing/cluster.ts'
import { openPool } from './connection.ts'

it('knows every table as the migrations made it', async () => {
  const src = join(import.meta.dirname, '..')
  const files = (await readdir(src, { recursive: true })).filter((file) => /(^|[/-])tables?\.ts$/.test(file))
  const modules = await Promise.all(files.map((file): Promise<object> => import(join(src, file))))
  const tables = modules.flatMap((module) => Object.values(module)).filter((value) => is(value, PgTable))
  expect(tables.length).toBeGreaterThan(20)
  const database = await testDatabase()
  const { pool, db } = openPool(database.address, { max: 1, onBroken: () => {} })
  await expectTablesMatch(db, tables)
  await pool.end()
  await database.drop()
})
