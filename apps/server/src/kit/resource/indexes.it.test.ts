import { and, getTableName, sql, type SQL } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { IMPORT_KINDS } from '@weft/contract/imports/schema'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import type { Tx } from '../context.ts'
import { foundBy, pageOf } from '../list.ts'
import { keysOf } from '../list-query.ts'
import { mountedOf } from '../resource.ts'
import { tagsQuery } from './tags.ts'
import { listSource } from './view.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const explained = z.object({ 'QUERY PLAN': z.array(z.object({ Plan: z.unknown() })) })

/** The kinds of nodes that read or order the table itself, from the plan's top down; subqueries apart. */
function nodes(plan: unknown, table: string): string[] {
  const node = z
    .looseObject({
      'Node Type': z.string(),
      'Parent Relationship': z.string().optional(),
      'Relation Name': z.string().optional(),
      Plans: z.array(z.unknown()).default([]),
    })
    .parse(plan)
  if (node['Parent Relationship'] === 'SubPlan' || node['Parent Relationship'] === 'InitPlan') return []
  const name = node['Node Type']
  const own = name === 'Seq Scan' && node['Relation Name'] !== table ? [] : [name]
  return [...own, ...node.Plans.flatMap((one) => nodes(one, table))]
}

/** How the database would answer, were there very many rows: it does without sorting and reading all wherever it can. */
async function planOf(tx: Tx, query: SQL, table: string): Promise<string[]> {
  return tx.transaction(async (at) => {
    for (const way of ['seqscan', 'sort', 'incremental_sort'])
      await at.execute(sql.raw(`set local enable_${way} = off`))
    const { rows } = await at.execute(sql`explain (format json) ${query}`)
    return nodes(explained.parse(rows[0])['QUERY PLAN'][0]?.Plan, table)
  })
}

/** What every heartbeat writes, and what an index would make ten times as dear to write; machines are never so many as records are. */
const UNINDEXED = new Set(['clients lastSeenAt'])

test('no list of a resource is sorted or read whole, whatever it is sorted by, both ways', async () => {
  const slow: string[] = []
  let looked = 0
  for (const kind of IMPORT_KINDS) {
    const { definition, listInput } = mountedOf(server.deps, kind)
    const everybody = { scope: () => sql`true`, can: () => true }
    const source = listSource(everybody, definition, {})
    const sortable = z.toJSONSchema(listInput, { io: 'input', unrepresentable: 'any' }).properties?.['sortBy']
    const names = z.object({ enum: z.array(z.string()) }).parse(sortable).enum
    for (const sortBy of [undefined, ...names.filter((name) => !UNINDEXED.has(`${kind} ${name}`))])
      for (const sortDesc of sortBy === undefined ? [undefined] : [false, true]) {
        const page = pageOf(
          server.deps.db,
          { page: 1, perPage: 25, sortBy, sortDesc },
          source,
          and(...source.where),
        )
        const plan = await planOf(server.deps.db, page.getSQL(), getTableName(definition.table))
        looked += 1
        if (plan.some((node) => /Sort|Seq Scan/.test(node)))
          slow.push(`${kind} by ${sortBy} ${sortDesc}: ${plan.join()}`)
      }
  }
  expect(slow).toEqual([])
  expect(looked).toBeGreaterThan(70)
})

test('every filter of a list has an index of its own, or the list’s order to go by', async () => {
  const slow: string[] = []
  for (const kind of IMPORT_KINDS) {
    const { definition } = mountedOf(server.deps, kind)
    const everybody = { scope: () => sql`true`, can: () => true }
    const inputs: Record<string, unknown>[] = [
      { tags: ['a', 'b'] },
      { createdFrom: '2026-01-01T00:00:00Z', createdTo: '2026-02-01T00:00:00Z' },
      { used: true },
      { used: false },
      { status: ['ready'], accountStatus: ['ready'], admin: ['enabled'] },
    ]
    for (const input of inputs) {
      const source = listSource(everybody, definition, input)
      const page = pageOf(server.deps.db, { page: 1, perPage: 25 }, source, and(...source.where))
      const plan = await planOf(server.deps.db, page.getSQL(), getTableName(definition.table))
      if (plan.includes('Seq Scan')) slow.push(`${kind} with ${Object.keys(input).join()}: ${plan.join()}`)
    }
    const source = listSource(everybody, definition, {})
    const where = and(...source.where, foundBy('needle', source))
    const found = source.rows(server.deps.db).where(where)
    const plan = await planOf(server.deps.db, found.getSQL(), getTableName(definition.table))
    if (plan.includes('Seq Scan')) slow.push(`${kind} with q: ${plan.join()}`)
  }
  expect(slow).toEqual([])
})

test('the tags that are suggested are read from the newest tagged records alone', async () => {
  for (const kind of IMPORT_KINDS) {
    const { definition } = mountedOf(server.deps, kind)
    const table = getTableName(definition.table)
    const { rows } = await server.deps.db.transaction(async (at) => {
      await at.execute(sql`set local enable_seqscan = off`)
      return at.execute(sql`explain ${tagsQuery({ scope: () => sql`true` }, definition)}`)
    })
    expect(JSON.stringify(rows)).toContain(`Index Scan Backward using ${table}_tagged`)
  }
})

test('those with one of several statuses are read by the index, not all of them at first', async () => {
  const { definition } = mountedOf(server.deps, 'accounts')
  const everybody = { scope: () => sql`true`, can: () => true }
  for (const accountStatus of [
    ['new', 'limited'],
    ['in_use', 'paused'],
    ['ready', 'in_use', 'retired'],
  ]) {
    const source = listSource(everybody, definition, { accountStatus })
    const some = keysOf(server.deps.db, source)
      .where(and(...source.where))
      .limit(10_001)
    const plan = await planOf(server.deps.db, some.getSQL(), 'account')
    expect(plan.filter((node) => /Bitmap/.test(node))).toEqual([])
  }
})
