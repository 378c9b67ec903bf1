import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClientBase } from 'pg'
import { StartError } from '../settings.ts'

/** One step of the schema's history. */
export interface Migration {
  name: string
  sql: string
  sha256: string
}

const LOCK = 7_263_001

/** The program's migrations, in order of their names. */
export async function readMigrations(folder = join(import.meta.dirname, 'migrations')): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_[a-z_]+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * Brings the schema forward: each file not yet applied runs in a transaction of its own, one server at a time. History
 * cannot be rewritten: a changed or missing file, or a database newer than the program, stops the start.
 */
export async function migrate(client: ClientBase, migrations: readonly Migration[]): Promise<string[]> {
  await client.query('select pg_advisory_lock($1)', [LOCK])
  try {
    await client.query(
      `create table if not exists migration (
        name text primary key, sha256 text not null, applied_at timestamptz(3) not null default now())`,
    )
    const applied = await client.query<{ name: string; sha256: string }>(
      'select name, sha256 from migration order by name',
    )
    const pending = pendingAfter(applied.rows, migrations)
    for (const migration of pending) await apply(client, migration)
    return pending.map((migration) => migration.name)
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK])
  }
}

function pendingAfter(
  applied: readonly { name: string; sha256: string }[],
  migrations: readonly Migration[],
): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  const newest = migrations.at(-1)?.name ?? ''
  for (const { name, sha256 } of applied) {
    const migration = known.get(name)
    if (!migration && name > newest)
      throw new StartError(`The database is newer than this program: it has the migration ${name}.`)
    if (!migration) throw new StartError(`The migration ${name} was applied, but its file is missing.`)
    if (migration.sha256 !== sha256)
      throw new StartError(`The migration ${name} was changed after it was applied.`)
  }
  const done = new Set(applied.map((row) => row.name))
  return migrations.filter((migration) => !done.has(migration.name))
}

async function apply(client: ClientBase, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(migration.sql)
    await client.query('insert into migration (name, sha256) values ($1, $2)', [
      migration.name,
      migration.sha256,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(`The migration ${migration.name} failed: ${reason}`, { cause: error })
  }
}
