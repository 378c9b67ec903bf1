import { createSecretKey } from 'node:crypto'
import { join } from 'node:path'
import { and, sql } from 'drizzle-orm'
import { z } from 'zod'
import { AGENT_COMMAND_METHOD, DEFAULT_AGENT_PARAMS, type AgentCommand } from '@weft/contract/agents/sessions'
import { AGENT_STREAM_PATH, agents } from '@weft/contract/agents/api'
import { attendedRuns } from '@weft/contract/attended-runs/api'
import { editorBrowsers } from '@weft/contract/editor-browsers/api'
import { campaigns } from '@weft/contract/campaigns/api'
import { leases } from '@weft/contract/leases/api'
import { questions } from '@weft/contract/questions/api'
import { reports } from '@weft/contract/reports/api'
import { runs } from '@weft/contract/runs/api'
import { testRuns } from '@weft/contract/test-runs/api'
import { workflowTests } from '@weft/contract/workflow-tests/api'
import { createHub, type Hub } from '@weft/hub/hub'
import { to } from '@weft/hub/types'
import { agentHandlers } from '../features/agents/handlers.ts'
import { hashToken } from '../features/agents/identity.ts'
import { openSigner, type JobSigner } from '../features/agents/signing.ts'
import { editorBrowserHandlers } from '../features/attended-runs/editor-handlers.ts'
import { attendedRunHandlers } from '../features/attended-runs/handlers.ts'
import { FRAME_CHANNEL, FrameWaits } from '../features/attended-runs/frames.ts'
import { campaignHandlers } from '../features/campaigns/handlers.ts'
import { rescueScheduled, workCampaignJobs } from '../features/campaigns/jobs.ts'
import { campaignSource } from '../features/campaigns/source.ts'
import { clientSource } from '../features/clients/admin.ts'
import { leaseHandlers } from '../features/leases/handlers.ts'
import { mountClients } from '../features/clients/mount.ts'
import { questionHandlers } from '../features/questions/handlers.ts'
import { reportHandlers } from '../features/reports/handlers.ts'
import { runHandlers, type RetryItem } from '../features/runs/handlers.ts'
import { mayOfRun } from '../features/runs/rules.ts'
import { run } from '../features/runs/table.ts'
import { testRunBeginner } from '../features/test-runs/begin.ts'
import { testRunHandlers } from '../features/test-runs/handlers.ts'
import { workflowTestHandlers } from '../features/workflow-tests/handlers.ts'
import { sharedBackplane } from '../kit/backplane.ts'
import type { AgentIdentity } from '../kit/context.ts'
import type { Deps } from '../kit/deps.ts'
import type { Feature, Visible } from '../kit/feature.ts'
import { folderStore } from '../kit/file-store.ts'
import { implement } from '../kit/implement.ts'
import { anyOf } from '../kit/recordset.ts'
import { seenBy } from '../kit/resource/visible.ts'
import { Engine } from './engine.ts'

const RESCUE_MS = 30_000
const WAKE_CHANNEL = 'weft_dispatch'

/** The rules of campaigns are those of their runs. */
const visibleRuns: Visible = async ({ tx, scope, user }, ids) => {
  const rows = await tx
    .select({ id: run.id })
    .from(run)
    .where(and(sql`${run.id} = ${anyOf(ids)}`, mayOfRun({ scope, user }, 'VIEW')))
  return new Set(rows.map((row) => row.id))
}

/**
 * Campaigns, their items and runs, the clients that execute them and the calls of their agents: separate features that
 * share one engine, so they are mounted and started together.
 */
export function engineFeature(): Feature {
  let engine: Engine | undefined
  let signer: JobSigner | undefined
  const frames = new FrameWaits()

  return {
    name: 'campaigns',
    visible: {
      campaigns: seenBy(campaignSource),
      clients: seenBy(clientSource),
      runs: visibleRuns,
    },

    mount(app) {
      const { deps } = app
      const stream = agentStream(deps)
      void app.register(stream.plugin)
      const made = engineOf(deps, stream)
      engine = made
      deps.authenticateAgent = (token) => findAgent(deps, token)
      const files = folderStore(join(deps.settings.dataDir, 'files'))
      const lazySigner: JobSigner = {
        get publicKey() {
          return openedSigner().publicKey
        },
        sign: (job) => openedSigner().sign(job),
      }
      const openedSigner = () => {
        if (!signer) throw new Error('the signing key is not open yet')
        return signer
      }
      implement(
        app,
        agents,
        agentHandlers({
          engine: made,
          signer: lazySigner,
          secrets: deps.secrets,
          files,
          logs: (message) => deps.live.runLog(message),
          tests: (userId, message) => deps.live.testRun(userId, message),
        }),
      )
      const campaignCalls = campaignHandlers(made)
      implement(app, campaigns, campaignCalls)
      const retryItem: RetryItem = async (ctx, input) => {
        if (typeof campaignCalls.retryItem === 'function') await campaignCalls.retryItem(ctx, input)
      }
      implement(app, runs, runHandlers(made, files, retryItem))
      implement(app, questions, questionHandlers(made, files))
      implement(app, reports, reportHandlers(made))
      implement(app, leases, leaseHandlers(made))
      implement(app, attendedRuns, attendedRunHandlers(made, frames, deps.now))
      implement(app, editorBrowsers, editorBrowserHandlers(made, frames, deps.now))
      const begin = testRunBeginner({ engine: made, secrets: deps.secrets, now: deps.now })
      implement(app, testRuns, testRunHandlers(begin))
      implement(app, workflowTests, workflowTestHandlers(begin))
      mountClients(app, made)
      workCampaignJobs(deps, made)
    },

    async start(deps) {
      signer = await openSigner(deps.db, deps.secrets)
      engine?.start()
      if (deps.settings.roles.has('scheduler'))
        await deps.notices.listen(WAKE_CHANNEL, (clientId) => engine?.wake(clientId || null))
      const deaf = await deps.notices.listen(FRAME_CHANNEL, (runId) => frames.wake(runId))
      const rescue = setInterval(() => {
        rescueScheduled(deps).catch((error: unknown) => deps.log.error({ err: error }, 'rescue failed'))
      }, RESCUE_MS)
      rescue.unref()
      return async () => {
        clearInterval(rescue)
        await deaf()
        frames.wake(undefined)
        await engine?.stop()
      }
    },
  }
}

function engineOf(deps: Deps, stream: Hub<AgentIdentity>): Engine {
  return new Engine({
    db: deps.db,
    leaseKey: createSecretKey(deps.secrets.derive('lease')),
    params: () => DEFAULT_AGENT_PARAMS,
    isOpen: () => deps.system.takesNewRuns(),
    deliver: (clientId: string, message: AgentCommand) =>
      stream.send(to.user(clientId), 'send', { method: AGENT_COMMAND_METHOD, message }),
    publish: (change) => deps.live.progress(change),
    testEnded: (runId, { workflowId, startedBy }) =>
      deps.live.testRun(startedBy, { runId, workflowId, lines: [], steps: [], ended: true }),
    wakeOthers: (clientId) => {
      deps.db
        .execute(sql`select pg_notify(${WAKE_CHANNEL}, ${clientId ?? ''})`)
        .catch((error: unknown) => deps.log.warn({ err: error }, 'other processes could not be woken'))
    },
    log: deps.log,
    dispatches: deps.settings.roles.has('scheduler'),
  })
}

/**
 * The agents' own hub: commands to them, nothing from them but being there. Any process may command an agent that is
 * connected to another.
 */
function agentStream(deps: Deps): Hub<AgentIdentity> {
  return createHub<AgentIdentity>({
    path: AGENT_STREAM_PATH,
    nodeSecret: deps.secrets.derive('agent stream').toString('base64url'),
    backplane: sharedBackplane(deps, 'hub_agent_message'),
    async authenticate({ token }) {
      const agent = await findAgent(deps, token)
      return agent ? { user: agent, userId: agent.clientId } : { status: 401 }
    },
    logger: deps.log,
  })
}

const agentRow = z.object({
  clientId: z.string(),
  clientKey: z.string(),
  ownerId: z.string().nullable(),
  sessionId: z.string(),
})

/** The agent that holds a session token; revoked and removed clients have none. */
async function findAgent(deps: Deps, token: string): Promise<AgentIdentity | null> {
  const { rows } = await deps.db.execute(sql`
    select id as "clientId", client_key as "clientKey", owner_id as "ownerId", coalesce(instance_id::text, '') as "sessionId"
    from client where session_hash = ${hashToken(token)} and session_expires_at > now() and admin <> 'revoked'
      and deleted_at is null`)
  const row = rows[0]
  return row ? agentRow.parse(row) : null
}
