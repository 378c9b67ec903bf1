import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { campaigns } from '@weft/contract/campaigns/api'
import type { Exclusion, Plan } from '@weft/contract/campaigns/schema'
import type { Implementation } from '../../kit/implement.ts'
import { findRecord } from '../../kit/record.ts'
import type { Engine } from '../../engine/engine.ts'
import { loadSets } from './load-sets.ts'
import { plan, type Binding, type Candidate } from './planner.ts'
import { startObstacle } from './present.ts'
import { campaignSource } from './source.ts'

const SAMPLE = 100
const EXCLUSIONS = 200

const factsRow = z.object({
  attached: z.record(z.string(), z.number()).nullable(),
  newest: z.number().nullable(),
  clients: z.number(),
  online: z.number(),
  slots: z.number(),
  average: z.number().nullable(),
})
const conflictRow = z.object({ id: z.string(), title: z.string(), shared: z.number() })

const named = (candidate: Candidate | null) => (candidate ? { id: candidate.id, name: candidate.name } : null)
const sampleOf = (binding: Binding, seq: number): Plan['sample'][number] => ({
  seq,
  account: named(binding.account),
  profile: named(binding.profile),
  proxy: named(binding.proxy),
  phone: named(binding.phone),
  video: named(binding.video),
})

/** What a start would do, computed by the planner that the start itself uses. */
export function planHandlers(engine: Engine): Pick<Implementation<typeof campaigns>, 'plan'> {
  return {
    async plan(ctx, { id }) {
      const row = await findRecord(ctx, campaignSource, id)
      const { sets, linked } = await loadSets(ctx.tx, id)
      const sample: Plan['sample'] = []
      const exclusions: Exclusion[] = []
      let total = 0
      let excluded = 0
      for (const entry of plan(row.pairing, sets, linked)) {
        if ('item' in entry) {
          total += 1
          if (sample.length < SAMPLE) sample.push(sampleOf(entry.item, total))
        } else {
          excluded += 1
          if (exclusions.length < EXCLUSIONS) exclusions.push(entry.exclusion)
        }
      }
      const found = await ctx.tx.execute(sql`
        select (select json_object_agg(kind, n) from (select kind, count(*)::int as n from campaign_resource
            where campaign_id = ${id} group by kind) k) as attached,
          (select published_release from workflow where id = ${row.workflowId} and deleted_at is null) as newest,
          (select avg(extract(epoch from finished_at - started_at))::float8 from (select finished_at, started_at from run
            where workflow_id = ${row.workflowId} and release is not null and result = 'succeeded' and started_at is not null
            order by queued_at desc limit 200) past) as average,
          count(*)::int as clients,
          count(*) filter (where live)::int as online, coalesce(sum(thread) filter (where live), 0)::int as slots
        from (select c.thread, c.session_hash is not null and c.admin = 'enabled'
            and c.last_seen_at > now() - make_interval(secs => ${engine.params.lateSeconds}) as live
          from campaign_resource cr join client c on c.id = cr.resource_id and c.deleted_at is null
          where cr.campaign_id = ${id} and cr.kind = 'clients') x`)
      const facts = factsRow.parse(found.rows[0])
      const conflicts = await ctx.tx.execute(sql`
        select c.id, c.title, count(*)::int as shared from campaign_resource mine
        join campaign_resource other on other.kind = mine.kind and other.resource_id = mine.resource_id
          and other.campaign_id <> mine.campaign_id
        join campaign c on c.id = other.campaign_id and c.state in ('scheduled', 'running', 'pausing', 'paused', 'completing')
        where mine.campaign_id = ${id} and mine.kind <> 'clients' and c.deleted_at is null
          and ${ctx.scope('VIEW', 'CAMPAIGN', { ownerId: sql`c.owner_id`, id: sql`c.id`, projectId: sql`c.project_id::text` })}
        group by c.id, c.title order by shared desc limit 20`)
      const obstacle = startObstacle(row, row.release ?? facts.newest, facts.attached ?? {})
      const problems: Plan['problems'] = obstacle ? [{ code: obstacle, params: {} }] : []
      if (!obstacle && total === 0) problems.push({ code: 'campaign.nothing_to_do', params: {} })
      return {
        total,
        sample,
        exclusions,
        exclusionTotal: excluded,
        conflicts: conflicts.rows.map((raw) => conflictRow.parse(raw)),
        clients: { attached: facts.clients, online: facts.online, slots: facts.slots },
        estimatedSeconds:
          facts.average === null || facts.slots === 0
            ? null
            : Math.ceil((total * facts.average) / facts.slots),
        problems,
      }
    },
  }
}
