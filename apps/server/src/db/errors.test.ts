import { readFile } from 'node:fs/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'
import { expect, it } from 'vitest'
import { databaseFailure, isConflict, isConnectionFailure } from './errors.ts'

const thrownBy = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

it('tells a database that is away from files and other servers that are', async () => {
  const pool = new Pool({ host: '127.0.0.1', port: 1 })
  expect(isConnectionFailure(await thrownBy(pool.query('select 1')))).toBe(true)
  expect(isConnectionFailure(await thrownBy(drizzle(pool).execute('select 1')))).toBe(true)
  await pool.end()
  const noSocket = new Pool({ host: '/nowhere' })
  expect(isConnectionFailure(await thrownBy(noSocket.query('select 1')))).toBe(true)
  await noSocket.end()
  expect(isConnectionFailure(await thrownBy(readFile('/nowhere')))).toBe(false)
  expect(isConnectionFailure(await thrownBy(fetch('http://127.0.0.1:1/')))).toBe(false)
})

it('finds what the database said in plain copies and chains', () => {
  const plain = { message: 'gone', code: '57P01', queue: 'jobs' }
  expect(isConnectionFailure(plain)).toBe(true)
  expect(isConnectionFailure(new Error('Connection terminated unexpectedly'))).toBe(true)
  const chained = new Error('Failed query', { cause: { message: 'deadlock', code: '40P01' } })
  expect(isConflict(chained)).toBe(true)
  expect(databaseFailure('text')).toBeUndefined()
  expect(databaseFailure(new Error('ours'))).toBeUndefined()
})
