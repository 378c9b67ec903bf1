import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Sandbox } from '@weft/sandbox/pool'
import { StepError } from '@weft/workflow/errors'
import { execute, type Checkpoint, type ExecutionResult, type GoOn } from '@weft/workflow/interpret'
import { isJsonObject, type JsonObject } from '@weft/workflow/json'
import { workflowDocumentSchema, jsonObjectSchema, type WorkflowDocument } from '@weft/workflow/document'
import { DomainLimits } from './browser/domains.ts'
import { Gate } from './browser/gate.ts'
import type { WarmBrowser } from './browser/launch.ts'
import { captureProfile, endOfSession, packProfile, unpackProfile } from './browser/profile.ts'
import { BrowserSession } from './browser/session.ts'
import { writeTrace } from './browser/trace.ts'
import type { Channel } from './channel.ts'
import { plainMessage } from './failures.ts'
import { goOnOf, holdOf, holdTold, reopenPages, takeAlong } from './hold.ts'
import { RunFiles } from './files.ts'
import { RunTeller } from './journal.ts'
import { Masker } from './mask.ts'
import { EMPTY_END, SNAPSHOT_FILE, type RunEnd, type RunOrder } from './protocol.ts'
import { Secrets } from './secrets.ts'
import { hiddenIn } from './steps/screenshot.ts'
import type { RunTools } from './steps/step.ts'
import { createRunners } from './steps/steps.ts'
import { checkExpectations, keptValues, pageOf, PagesSeen, testOf } from './test-run.ts'
import { atMost } from './within.ts'
import { z } from 'zod'

/** Twice the largest video that a server takes as it comes; a loop cannot fill the client's disk. */
const FETCH_MAX_BYTES = 20e9
const PICTURE_MS = 4000
const CLOSE_MS = 8000
const FIRST_PAGE_MS = 30_000
/** Failures beyond these get no picture of their own: a loop that fails each time has shown enough. */
const MAX_FAILURE_PICTURES = 20

/** What lasts longer than one run. */
export interface Workshop {
  channel: Channel
  warm: WarmBrowser
  sandbox: Sandbox
}

/** One run at work in this process. */
export class ActiveRun {
  readonly #order: RunOrder
  readonly #workshop: Workshop
  readonly #cancel = new AbortController()
  readonly #stopNow = new AbortController()
  readonly #masker = new Masker()
  readonly #teller: RunTeller
  readonly #files: RunFiles
  #profile: { state: Awaited<ReturnType<typeof captureProfile>> } | null = null
  readonly #pagesSeen: PagesSeen
  #accountRejected = false
  #pictures = 0

  constructor(order: RunOrder, workshop: Workshop) {
    this.#order = order
    this.#workshop = workshop
    this.#teller = new RunTeller(workshop.channel, this.#masker)
    this.#pagesSeen = new PagesSeen(this.#masker)
    this.#files = new RunFiles({
      folder: order.folder,
      channel: workshop.channel,
      masker: this.#masker,
      maxBytes: order.params.artifactCapBytes,
      fetchMaxBytes: FETCH_MAX_BYTES,
    })
  }

  get #document(): WorkflowDocument {
    const { document } = this.#order
    if (!document) throw new StepError('WorkflowMissing', 'The run has no workflow.')
    return document
  }

  /** Stops the run: in order, with its own tidying up, or at once. */
  cancel(mode: 'graceful' | 'now', reason: string): void {
    const why = new StepError('Cancelled', reason === '' ? 'The run was cancelled.' : reason)
    this.#cancel.abort(why)
    if (mode === 'now') this.#stopNow.abort(why)
  }

  /** Does the run. It always ends with a result. */
  async run(): Promise<RunEnd> {
    try {
      return await this.#run()
    } catch (thrown) {
      const message = this.#masker.text(plainMessage(thrown))
      const errorClass = thrown instanceof StepError ? thrown.class : 'Internal'
      const error = { class: errorClass, message, stepId: null, stepName: null }
      return { ...EMPTY_END, result: 'failed', error }
    }
  }

  async #run(): Promise<RunEnd> {
    const { job, browsers, domainLimits } = this.#order
    const document = this.#document
    const { channel, warm, sandbox } = this.#workshop
    for (const { name, secret } of document.inputs) {
      const value = job.inputs[name]
      if (secret && typeof value === 'string') this.#masker.add(value)
    }
    const goOn = goOnOf(job)
    for (const secret of goOn?.hidden ?? []) this.#masker.add(secret)
    const secrets = new Secrets(channel, this.#masker)
    const limits = new DomainLimits(domainLimits)
    const gate = await Gate.open(limits, await this.#upstream(secrets))
    gate.onRefused = (host) => this.#teller.line('warn', `${host} is not among the allowed domains.`, null)
    const session = new BrowserSession({
      warm,
      browsers,
      job,
      gate,
      storageState: () => this.#storedProfile(),
      trace: document.settings.traceOn !== 'never',
      note: (text) => this.#teller.line('info', text, null),
      firstPage: (page) => this.#beginAt(page, limits),
    })
    const tools: RunTools = {
      job,
      session,
      gate,
      limits,
      secrets,
      masker: this.#masker,
      files: this.#files,
      secretFields: [],
      saveProfile: () => this.#captureProfile(session),
      rejectAccount: () => {
        this.#accountRejected = true
      },
    }
    const { test } = job
    if (test) this.#teller.onStepStarted = (at) => this.#pagesSeen.note(at, session.anyTab()?.page.url())
    this.#teller.onStepFailed = (at) => this.#pictureOfFailure(tools, at)
    try {
      // A page that does not come back is told; the steps that need it say more.
      if (goOn)
        await reopenPages(session, goOn.pages, limits, (text) => this.#teller.line('warn', text, null))
      const result = await this.#execute(tools, sandbox, goOn?.goOn)
      const snapshot = await this.#saveProfile(session, result)
      await this.#keepTrace(session, result)
      return this.#end(result, tools, snapshot, await this.#check(result))
    } finally {
      await this.#close(session)
      await gate.close()
    }
  }

  /** Closes what the run had open. A context that does not close takes its browser with it. */
  async #close(session: BrowserSession): Promise<void> {
    const { warm } = this.#workshop
    try {
      const closed = await atMost(
        CLOSE_MS,
        session.close().then(() => true),
      )
      if (closed) warm.rest()
      else await atMost(CLOSE_MS, warm.close())
    } catch (error) {
      this.#teller.line('debug', `The browser was gone already: ${plainMessage(error)}`, null)
    }
  }

  async #execute(tools: RunTools, sandbox: Sandbox, goOn: GoOn | undefined): Promise<ExecutionResult> {
    const { job, params } = this.#order
    const document = this.#document
    const { channel } = this.#workshop
    return execute({
      document,
      bindings: {
        inputs: jsonObjectSchema.parse(job.inputs),
        item: itemOf(this.#order),
        project: jsonObjectSchema.parse(job.project?.variables ?? {}),
        run: runFacts(this.#order),
      },
      evaluate: (requests, scope, signal) => sandbox.evaluateMany(requests, scope, signal),
      runners: createRunners(tools),
      journal: this.#teller.journal,
      signal: this.#cancel.signal,
      stopNow: this.#stopNow.signal,
      ...(goOn ? { goOn } : startOf(job.startAt)),
      hold: holdOf(tools, channel),
      ...testOf(job),
      loadWorkflow: async (workflowId, release) =>
        workflowDocumentSchema.parse(await channel.request({ kind: 'workflow', workflowId, release })),
      loadSecret: (name) => tools.secrets.ofProject(name),
      limits: { cleanupSeconds: params.cleanupSeconds },
    })
  }

  /** Brings a part of a test run to the page that it begins on. A page that does not come is told; its steps say more. */
  async #beginAt(page: Page, limits: DomainLimits): Promise<void> {
    const address = pageOf(this.#order.job, this.#document)
    if (address === null) return
    try {
      limits.check(new URL(address))
      await page.goto(address, { waitUntil: 'load', timeout: FIRST_PAGE_MS })
      this.#teller.line('info', `The test begins on ${address}.`, null)
    } catch (error) {
      this.#teller.line(
        'warn',
        `The page on which the test begins did not open: ${plainMessage(error)}`,
        null,
      )
    }
  }

  async #upstream(secrets: Secrets) {
    const { proxy } = this.#order.job
    if (!proxy) return null
    const { protocol, host, port, username, hasPassword } = proxy
    const password = hasPassword ? await secrets.get('proxy.password') : null
    return { protocol, host, port, username, password }
  }

  async #storedProfile() {
    const { profile, goOn } = this.#order.job
    if (!profile?.snapshot && !goOn?.snapshot) return undefined
    const path = z.string().parse(await this.#workshop.channel.request({ kind: 'snapshot' }))
    return unpackProfile(path)
  }

  async #captureProfile(session: BrowserSession): Promise<boolean> {
    const { context } = session
    if (!this.#order.job.profile || !context) return false
    this.#profile = { state: await captureProfile(context) }
    return true
  }

  /** After a success the profile is kept as it is at the end; otherwise only as a step asked for it. */
  async #saveProfile(session: BrowserSession, result: ExecutionResult): Promise<RunEnd['snapshot']> {
    try {
      const { context } = session
      const warn = (text: string) => this.#teller.line('warn', text, null)
      if (result.status === 'held' && context) {
        const state = await takeAlong(() => captureProfile(context), warn)
        if (state) this.#profile = { state }
      }
      if (result.status === 'succeeded') {
        const captured = await atMost(CLOSE_MS, this.#captureProfile(session))
        if (captured === undefined)
          warn('The profile was not saved as it is at the end: the browser did not answer in time.')
      }
      if (!this.#profile) return null
      const path = join(this.#order.folder, SNAPSHOT_FILE)
      await packProfile(`${path}.part`, this.#profile.state)
      await rename(`${path}.part`, path)
      return { file: SNAPSHOT_FILE, expiresAt: endOfSession(this.#profile.state) }
    } catch (error) {
      this.#teller.line('error', `The profile was not saved: ${plainMessage(error)}`, null)
      return null
    }
  }

  async #keepTrace({ context }: BrowserSession, result: ExecutionResult): Promise<void> {
    const { traceOn } = this.#document.settings
    const failed = result.status === 'failed' || result.status === 'timed_out'
    if (!context || traceOn === 'never' || (traceOn === 'failure' && !failed)) return
    const stepId = result.error?.stepId ?? ''
    try {
      const path = this.#files.newPath('.zip')
      await atMost(CLOSE_MS * 2, writeTrace(context, path, this.#masker))
      await this.#files.add({ path, kind: 'trace', name: 'trace.zip', stepId, at: stepId })
    } catch (error) {
      this.#teller.line('warn', `The trace was not kept: ${plainMessage(error)}`, null)
    }
  }

  async #pictureOfFailure(tools: RunTools, at: { path: string; stepId: string }): Promise<void> {
    const tab = tools.session.anyTab()
    if (!tab || this.#cancel.signal.aborted || this.#pictures >= MAX_FAILURE_PICTURES) return
    this.#pictures += 1
    try {
      const path = this.#files.newPath('.jpg')
      const { page } = tab
      const options = {
        path,
        type: 'jpeg',
        quality: 70,
        timeout: PICTURE_MS,
        mask: hiddenIn(tools, page),
      } as const
      await atMost(PICTURE_MS, page.screenshot(options))
      const name = `${at.stepId}-failed.jpg`
      await this.#files.add({ path, kind: 'screenshot', name, stepId: at.stepId, at: at.path })
    } catch (error) {
      this.#teller.line('debug', `No picture of the failure: ${plainMessage(error)}`, at.stepId)
    }
  }

  #check(result: ExecutionResult): ReturnType<typeof checkExpectations> {
    const { job } = this.#order
    const ended = { job, result, item: itemOf(this.#order), run: runFacts(this.#order) }
    const { signal } = this.#cancel
    return checkExpectations(ended, { sandbox: this.#workshop.sandbox, masker: this.#masker, signal })
  }

  #end(
    result: ExecutionResult,
    { session }: RunTools,
    snapshot: RunEnd['snapshot'],
    checks: Awaited<ReturnType<typeof checkExpectations>>,
  ): RunEnd {
    const { activities } = this.#document
    const { error } = result
    const named = activities.find(({ id }) => id === error?.stepId)
    const masked = this.#masker.value(result.outputs)
    const checkpoint = result.checkpoint
      ? this.#masker.value(jsonObjectSchema.parse(result.checkpoint))
      : null
    return {
      result: result.status,
      error: error && this.#teller.error(error, named?.name ?? named?.id ?? null),
      outputs: isJsonObject(masked) ? masked : {},
      browser: session.version,
      snapshot,
      accountRejected: this.#accountRejected,
      checkpoint: isJsonObject(checkpoint) ? checkpoint : null,
      hold: holdTold(result, session, this.#masker),
      values: this.#order.job.test
        ? keptValues(result.values, this.#masker, { pages: this.#pagesSeen.all, checks })
        : null,
    }
  }
}

function accountFacts({ secrets: _secrets, ...facts }: NonNullable<RunOrder['job']['account']>) {
  return facts
}

/** What expressions see as `item`: what the run binds, without secrets. */
function itemOf({ job }: RunOrder): JsonObject {
  const { account, profile, proxy, phone, video } = job
  return jsonObjectSchema.parse({
    seq: job.itemSeq,
    account: account && accountFacts(account),
    profile: profile && { id: profile.id, name: profile.name },
    proxy: proxy && {
      id: proxy.id,
      name: proxy.name,
      protocol: proxy.protocol,
      host: proxy.host,
      port: proxy.port,
    },
    phone,
    video: video && {
      id: video.id,
      name: video.name,
      fileName: video.fileName,
      file: { ref: `stored:${video.fileId}`, name: video.fileName, mediaType: '', size: 0 },
    },
  })
}

function runFacts({ job }: RunOrder): JsonObject {
  const { runId, attempt, campaign, workflow } = job
  return {
    id: runId,
    attempt,
    campaign,
    workflow: workflow && { id: workflow.id, name: workflow.name, release: workflow.release },
  }
}

const checkpointSchema = z.looseObject({
  stepId: z.string(),
  path: z.array(z.object({ stepId: z.string(), outcome: z.string(), index: z.int().optional() })).default([]),
  vars: jsonObjectSchema.default({}),
  steps: z.record(z.string(), jsonObjectSchema).default({}),
})

/** Where to go on: the checkpoint of an earlier run as JSON, or only the id of a step. */
export function startOf(startAt: string | null): { startAt?: Checkpoint } {
  if (startAt === null) return {}
  if (!startAt.startsWith('{')) return { startAt: { stepId: startAt, path: [], vars: {}, steps: {} } }
  const { stepId, path, vars, steps } = checkpointSchema.parse(JSON.parse(startAt))
  return { startAt: { stepId, path, vars, steps } }
}
