import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../../db/connection.ts'
import { csvLine } from '../../kit/csv.ts'
import { selectItems, type ItemView } from './items.ts'

const PAGE = 1000
const FIXED = [
  'seq',
  'state',
  'attempts',
  'account',
  'profile',
  'proxy',
  'phone',
  'video',
  'client',
  'startedAt',
  'settledAt',
  'errorClass',
  'errorMessage',
  'errorStep',
] as const

/** A campaign's results, a row per item: what it bound, how it ended, and each extracted value in a column of its own. */
export async function* results(tx: Tx, campaignId: string, format: 'csv' | 'ndjson'): AsyncGenerator<string> {
  const names = await outputNames(tx, campaignId)
  if (format === 'csv') yield csvLine([...FIXED, ...names])
  let after = 0
  for (;;) {
    const items = await selectItems(
      tx,
      sql`i.campaign_id = ${campaignId} and i.seq > ${after}`,
      sql`order by i.seq`,
      sql`limit ${PAGE}`,
    )
    yield items
      .map((item) => (format === 'csv' ? csvRow(item, names) : `${JSON.stringify(plain(item))}\n`))
      .join('')
    const last = items.at(-1)
    if (!last || items.length < PAGE) return
    after = last.seq
  }
}

async function outputNames(tx: Tx, campaignId: string): Promise<string[]> {
  const found = await tx.execute(sql`
    select distinct key from campaign_item i, lateral jsonb_object_keys(i.outputs) key
    where i.campaign_id = ${campaignId} and jsonb_typeof(i.outputs) = 'object' order by key limit 500`)
  return found.rows.map((row) => z.object({ key: z.string() }).parse(row).key)
}

function plain(item: ItemView) {
  return {
    seq: item.seq,
    state: item.state,
    attempts: item.attempt,
    account: item.account?.name ?? null,
    profile: item.profile?.name ?? null,
    proxy: item.proxy?.name ?? null,
    phone: item.phone?.name ?? null,
    video: item.video?.name ?? null,
    client: item.client?.name ?? null,
    startedAt: item.started_at,
    settledAt: item.settled_at,
    errorClass: item.error?.class ?? null,
    errorMessage: item.error?.message ?? null,
    errorStep: item.error?.stepName ?? item.error?.stepId ?? null,
    outputs: item.outputs ?? {},
  }
}

function csvRow(item: ItemView, names: readonly string[]): string {
  const row = plain(item)
  return csvLine([...FIXED.map((name) => row[name]), ...names.map((name) => row.outputs[name])])
}
