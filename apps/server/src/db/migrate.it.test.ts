import { createHash } from 'node:crypto'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../testing/cluster.ts'
import { clientConfig } from './connection.ts'
import { migrate, readMigrations, type Migration } from './migrate.ts'

let database: TestDatabase
const clients: Client[] = []

const connect = async () => {
  const client = new Client(clientConfig(database.address))
  await client.connect()
  clients.push(client)
  return client
}
const migration = (name: string, sql: string): Migration => ({
  name,
  sql,
  sha256: createHash('sha256').update(sql).digest('hex'),
})
const one = migration('0001_one.sql', 'create table one (id int)')
const two = migration('0002_two.sql', 'create table two (id int)')

beforeEach(async () => {
  database = await testDatabase({ empty: true })
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()))
  await database.drop()
})

describe('migrations', () => {
  it('are applied once, in order', async () => {
    const client = await connect()
    expect(await migrate(client, [one])).toEqual(['0001_one.sql'])
    expect(await migrate(client, [one, two])).toEqual(['0002_two.sql'])
    expect(await migrate(client, [one, two])).toEqual([])
  })

  it('are applied by one server when several start at once', async () => {
    const starts = await Promise.all([connect(), connect(), connect()])
    const applied = await Promise.all(starts.map((client) => migrate(client, [one, two])))
    expect(applied.flat()).toEqual(['0001_one.sql', '0002_two.sql'])
  })

  it('that were changed, are missing, or are newer than the program stop the start', async () => {
    const client = await connect()
    await migrate(client, [one, two])
    await expect(migrate(client, [one, migration(two.name, 'create table other (id int)')])).rejects.toThrow(
      'The migration 0002_two.sql was changed after it was applied.',
    )
    await expect(migrate(client, [two])).rejects.toThrow('0001_one.sql was applied, but its file is missing')
    await expect(migrate(client, [one])).rejects.toThrow('The database is newer than this program')
  })

  it('that fail leave nothing of themselves', async () => {
    const client = await connect()
    const bad = migration('0002_bad.sql', 'create table half (id int); select nonsense')
    await expect(migrate(client, [one, bad])).rejects.toThrow('The migration 0002_bad.sql failed')
    expect(
      (await client.query(`select to_regclass('half') as half, to_regclass('one') as one`)).rows,
    ).toEqual([{ half: null, one: 'one' }])
    expect(await migrate(client, [one, two])).toEqual(['0002_two.sql'])
  })

  it('of the product run on an empty database', async () => {
    const client = await connect()
    const all = await readMigrations()
    expect(await migrate(client, all)).toEqual(all.map(({ name }) => name))
  })

  it('of the product know of numbers that were verified before since when, as far as can be told', async () => {
    const client = await connect()
    const all = await readMigrations()
    await migrate(
      client,
      all.filter(({ name }) => name < '0191'),
    )
    await client.query(`insert into phone (id, country_code, phone_number, kind, status, updated_at)
      select uuidv7(), '+44', number, 'mobile', status, '2026-02-03T04:05:06Z' from
        (values ('+442071838750', 'verified'), ('+442071838751', 'new')) as one (number, status)`)
    await migrate(client, all)
    const { rows } = await client.query(`select status, verified_at from phone order by status`)
    expect(rows).toEqual([
      { status: 'new', verified_at: null },
      { status: 'verified', verified_at: new Date('2026-02-03T04:05:06Z') },
    ])
  })
})
