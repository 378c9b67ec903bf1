import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto'
import {
  DEFAULT_AGENT_PARAMS,
  type AgentCommand,
  type AgentParams,
  type Heartbeat,
} from '@weft/contract/agents/sessions'
import { jobSchema, type Job } from '@weft/contract/agents/jobs'
import type { RunEventMessage } from '@weft/contract/agents/reports'
import type { Frame } from '@weft/contract/attended-runs/frame'
import { canonicalJson } from '@weft/contract/core/canonical'
import type { WorkflowDocument } from '@weft/workflow/document'

/** How a run ended, as the agent told it. */
export interface Finish {
  result: string
  error: { class: string; message: string; stepId: string | null; stepName: string | null } | null
  outputs: Record<string, unknown>
  snapshot: { sha256: string; size: number; expiresAt: string | null } | null
  accountRejected: boolean
  checkpoint: Record<string, unknown> | null
  values: Record<string, unknown> | null
  /** Of a run that left to wait. */
  hold: { kind: 'time' | 'question'; seconds: number; state: Record<string, unknown> } | null
  eventCount: number
  logBytes: number
  browser: string | null
}

/** One run on the fake server. */
export interface FakeRun {
  job: Job
  leaseToken: string
  phase: 'offered' | 'claimed' | 'running' | 'finished'
  /** Milliseconds since 1970; in the past once the lease is over. */
  leaseEndsAt: number
  cancel: { mode: 'graceful' | 'now'; graceSeconds: number; reason: string } | null
  events: RunEventMessage[]
  log: Buffer
  frames: Frame[]
  finish: Finish | null
  rejected: string | null
  claims: number
  starts: number
  finishes: number
  renewals: number
  secrets: Partial<Record<string, string | string[]>>
}

/** What the fake server remembers; it outlives a restart of its HTTP side. */
export class FakeState {
  readonly keys = generateKeyPairSync('ed25519')
  readonly joinCodes = new Set<string>()
  readonly clients = new Map<
    string,
    {
      publicKey: string
      machineId: string
      nonce: string
      instanceId: string | null
      token: string | null
      seenAt: number
    }
  >()
  readonly runs = new Map<string, FakeRun>()
  readonly documents = new Map<string, WorkflowDocument>()
  readonly subworkflows = new Map<string, WorkflowDocument>()
  readonly files = new Map<string, Buffer>()
  readonly parts = new Map<string, Buffer>()
  readonly heartbeats: Heartbeat[] = []
  params: AgentParams = { ...DEFAULT_AGENT_PARAMS, heartbeatSeconds: 1, logFlushMs: 100, offerSeconds: 10 }
  slots = 2
  updateOnly = false
  skewSeconds = 0
  revoked = false
  admin: 'enabled' | 'paused' = 'enabled'
  /** Offers are told on the stream, and again in heartbeats. */
  push: (clientId: string, command: AgentCommand) => void = () => undefined
  streamOffers = true
  /** Calls that are answered with 503 for now. */
  readonly busy = new Set<string>()
  /** Answers that are lost: the call is done, the agent hears nothing. Counted down by name of the call. */
  loseAnswers = new Map<string, number>()

  get publicKey(): string {
    return this.keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  }

  sign(job: Job): string {
    return sign(null, Buffer.from(canonicalJson(job)), this.keys.privateKey).toString('base64')
  }

  joinCode(): string {
    const code = randomBytes(8).toString('hex')
    this.joinCodes.add(code)
    return code
  }

  /** Offers a run of this document to every client. */
  offer(document: WorkflowDocument, details: Partial<Job> = {}, secrets: FakeRun['secrets'] = {}): FakeRun {
    const hash = createHash('sha256').update(canonicalJson(document)).digest('hex')
    this.documents.set(hash, document)
    return this.#offer(
      { workflow: { id: randomUUID(), name: 'Test', release: 1, hash }, ...details },
      secrets,
    )
  }

  /** Offers an attended run to every client. */
  offerAttended(details: Partial<Job>): FakeRun {
    return this.#offer({ workflow: null, ...details }, {})
  }

  /** Tells every client something on the stream. */
  tell(command: AgentCommand): void {
    for (const id of this.clients.keys()) this.push(id, command)
  }

  #offer(details: Partial<Job>, secrets: FakeRun['secrets']): FakeRun {
    const job = jobSchema.parse({
      runId: randomUUID(),
      attempt: 1,
      fence: 1,
      campaign: null,
      itemSeq: null,
      inputs: {},
      account: null,
      profile: null,
      proxy: null,
      phone: null,
      video: null,
      allowedDomains: [],
      startAt: null,
      ...details,
    })
    const run: FakeRun = {
      job,
      leaseToken: randomBytes(12).toString('hex'),
      phase: 'offered',
      leaseEndsAt: 0,
      cancel: null,
      events: [],
      log: Buffer.alloc(0),
      frames: [],
      finish: null,
      rejected: null,
      claims: 0,
      starts: 0,
      finishes: 0,
      renewals: 0,
      secrets,
    }
    this.runs.set(job.runId, run)
    if (this.streamOffers) for (const id of this.clients.keys()) this.push(id, this.offerOf(run))
    return run
  }

  offerOf(run: FakeRun): AgentCommand {
    const { runId, attempt } = run.job
    return {
      type: 'offer',
      runId,
      attempt,
      leaseToken: run.leaseToken,
      deadlineSeconds: this.params.offerSeconds,
    }
  }

  /** Asks for a run's cancellation; on the stream too, unless only an answer shall carry it. */
  cancel(run: FakeRun, mode: 'graceful' | 'now' = 'graceful', by: 'stream' | 'answers' = 'stream'): void {
    run.cancel = { mode, graceSeconds: this.params.cancelGraceSeconds, reason: 'A person asked.' }
    if (by === 'stream')
      for (const id of this.clients.keys())
        this.push(id, { type: 'cancel', runId: run.job.runId, ...run.cancel })
  }

  /** Log lines of a run. */
  logOf(run: FakeRun): { level: string; text: string; stepId: string | null }[] {
    return run.log
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  }
}
