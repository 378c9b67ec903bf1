import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { ATTACHABLE, type Attachable, type campaignSchema, type Tally } from '@weft/contract/campaigns/schema'
import { campaignMachine, SETTLED_ITEMS, type CampaignEvent } from '@weft/contract/campaigns/states'
import { next } from '@weft/contract/core/machine'
import { PROJECT_STATUSES } from '@weft/contract/projects/schema'
import type { Decisions, Tx } from '../../kit/context.ts'
import { iso } from '../../kit/record.ts'
import { obstacleOf } from '../projects/open.ts'
import { EMPTY_TALLY, tallies, totalOf } from './lifecycle.ts'
import type { CampaignRow } from './table.ts'

const factsRow = z.object({
  id: z.string(),
  project: z.string().nullable(),
  project_status: z.enum(PROJECT_STATUSES).nullable(),
  workflow: z.string().nullable(),
  newest: z.number().nullable(),
  attached: z.record(z.string(), z.number()).nullable(),
  recent: z.number(),
})

/** Presents campaigns with names, counts, rate and what this person may do now; three queries for any number of rows. */
export async function presentCampaigns(
  tx: Tx,
  rows: readonly CampaignRow[],
  decisions: Pick<Decisions, 'can'>,
) {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const counts = await tallies(tx, ids)
  const result = await tx.execute(sql`
    select c.id, p.name as project, p.status as project_status, w.name as workflow,
      case when w.deleted_at is null then w.published_release end as newest,
      (select json_object_agg(s.kind, s.size) from campaign_set s where s.campaign_id = c.id) as attached,
      case when c.state in ('running', 'pausing', 'completing') then (select count(*)::int from campaign_item i
        where i.campaign_id = c.id and i.settled_at > now() - interval '1 minute') else 0 end as recent
    from campaign c left join project p on p.id = c.project_id left join workflow w on w.id = c.workflow_id
    where c.id in ${ids}`)
  const facts = new Map(result.rows.map((raw) => [factsRow.parse(raw).id, factsRow.parse(raw)]))
  return rows.map((row) =>
    presentCampaign(row, counts.get(row.id) ?? EMPTY_TALLY, facts.get(row.id), decisions),
  )
}

/** Presents one campaign. */
export async function presentOne(tx: Tx, row: CampaignRow, decisions: Pick<Decisions, 'can'>) {
  const [one] = await presentCampaigns(tx, [row], decisions)
  if (!one) throw new Error('a campaign that was just read is not there')
  return one
}

function presentCampaign(
  row: CampaignRow,
  tally: Tally,
  facts: z.infer<typeof factsRow> | undefined,
  decisions: Pick<Decisions, 'can'>,
): z.input<typeof campaignSchema> {
  const total = totalOf(tally)
  const settled = SETTLED_ITEMS.reduce((sum, state) => sum + tally[state], 0)
  const rate = facts?.recent ?? 0
  const left = total - settled
  const { can, cannot } = actionsOf(
    row,
    {
      newest: facts?.newest ?? null,
      attached: facts?.attached ?? {},
      closed: obstacleOf(facts?.project_status),
    },
    decisions,
  )
  const attached = Object.fromEntries(ATTACHABLE.map((kind) => [kind, facts?.attached?.[kind] ?? 0]))
  return {
    id: row.id,
    ownerId: row.ownerId,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy,
    updatedAt: row.updatedAt.toISOString(),
    version: row.version,
    can,
    cannot,
    code: row.code,
    title: row.title,
    description: row.description,
    type: row.type,
    projectId: row.projectId,
    workflowId: row.workflowId,
    inputs: row.inputs,
    pairing: row.pairing,
    schedule: row.schedule,
    pacing: row.pacing,
    errors: row.errors,
    priority: row.priority,
    tags: row.tags,
    notes: row.notes,
    projectName: facts?.project ?? null,
    workflowName: facts?.workflow ?? null,
    release: row.release ?? facts?.newest ?? null,
    state: row.state,
    stateReason: row.stateReason ?? (needsPerson(row, tally) ? 'needs_person' : null),
    stateChangedAt: row.stateChangedAt.toISOString(),
    attached: attached as Record<Attachable, number>,
    tally,
    total,
    ratePerMinute: rate > 0 ? rate : null,
    etaSeconds: rate > 0 && left > 0 ? Math.ceil((left / rate) * 60) : null,
    startedAt: iso(row.startedAt),
    finishedAt: iso(row.finishedAt),
    copiedFromId: row.copiedFromId,
  }
}

/** Nothing is left to do but what only a person can decide. */
function needsPerson({ state }: CampaignRow, tally: Tally): boolean {
  return state === 'completing' && tally.leased + tally.running === 0 && tally.uncertain > 0
}

const BUTTONS: readonly { name: string; event: CampaignEvent }[] = [
  { name: 'start', event: 'schedule' },
  { name: 'unschedule', event: 'unschedule' },
  { name: 'pause', event: 'pause' },
  { name: 'resume', event: 'resume' },
  { name: 'cancel', event: 'cancel' },
  { name: 'archive', event: 'archive' },
]

/** Why a campaign cannot be started yet, or null. The start itself asks the same. */
export function startObstacle(
  row: Pick<CampaignRow, 'workflowId'>,
  newestRelease: number | null,
  attached: Readonly<Record<string, number>>,
): 'campaign.no_release' | 'campaign.no_client' | 'campaign.no_resource' | null {
  if (!row.workflowId || newestRelease === null) return 'campaign.no_release'
  if (!attached['clients']) return 'campaign.no_client'
  const some = ['accounts', 'profiles', 'phones', 'videos'].some((kind) => attached[kind])
  return some ? null : 'campaign.no_resource'
}

function actionsOf(
  row: CampaignRow,
  facts: { newest: number | null; attached: Readonly<Record<string, number>>; closed: string | null },
  decisions: Pick<Decisions, 'can'>,
) {
  const can: string[] = []
  const cannot: Record<string, string> = {}
  const { newest, attached, closed } = facts
  const offer = (name: string) => {
    if (closed) cannot[name] = closed
    else can.push(name)
  }
  if (row.deletedAt !== null) {
    if (decisions.can('DELETE', 'CAMPAIGN', row)) offer('restore')
    return { can, cannot }
  }
  if (decisions.can('UPDATE', 'CAMPAIGN', row)) offer('update')
  if (decisions.can('CREATE', 'CAMPAIGN')) offer('copy')
  if (decisions.can('DELETE', 'CAMPAIGN', row)) {
    if (DELETABLE.includes(row.state)) offer('delete')
    else cannot['delete'] = 'campaign.wrong_state'
  }
  if (!decisions.can('RUN', 'CAMPAIGN', row)) return { can, cannot }
  for (const { name, event } of BUTTONS) {
    const obstacle = name === 'start' ? (closed ?? startObstacle(row, newest, attached)) : null
    if (next(campaignMachine, row.state, event) === undefined) cannot[name] = 'campaign.wrong_state'
    else if (obstacle) cannot[name] = obstacle
    else can.push(name)
  }
  return { can, cannot }
}

/** States in which nothing is under way. */
export const DELETABLE: readonly CampaignRow['state'][] = [
  'draft',
  'finished',
  'finished_with_errors',
  'cancelled',
  'archived',
]
