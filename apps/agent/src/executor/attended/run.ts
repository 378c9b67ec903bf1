import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext, Dialog, Page } from 'playwright-core'
import type { AttendInput, FrameMeta } from '@weft/contract/attended-runs/schema'
import type { AttendedPurpose } from '@weft/contract/runs/schema'
import { StepError } from '@weft/workflow/errors'
import { z } from 'zod'
import { DomainLimits } from '../browser/domains.ts'
import { Gate } from '../browser/gate.ts'
import {
  captureProfile,
  endOfSession,
  isEmptyProfile,
  packProfile,
  unpackProfile,
} from '../browser/profile.ts'
import { BrowserSession } from '../browser/session.ts'
import { plainMessage } from '../failures.ts'
import { RunFiles } from '../files.ts'
import { RunTeller } from '../journal.ts'
import { Masker } from '../mask.ts'
import { EMPTY_END, SNAPSHOT_FILE, type RunEnd, type RunOrder } from '../protocol.ts'
import type { Workshop } from '../run.ts'
import { Secrets } from '../secrets.ts'
import { atMost, within } from '../within.ts'
import { Hands } from './hands.ts'
import { Screen } from './screen.ts'
import { Tabs } from './tabs.ts'
import { Watch } from './watch.ts'

const answerSchema = z.looseObject({ wanted: z.boolean() })

/** Longer than this a session is not waited for to be saved. */
const SAVE_MS = 60_000
const CLOSE_MS = 8000
/** Once a person has had so much fetched for pages, no more fits on the client's disk for them. */
const FETCH_MAX_BYTES = 1e9
const LANE = 'attended'
const STEP = { path: 'attend', stepId: 'attend' }
const STEP_NAME = 'A person has the browser in hand'

/** What a browser is handed over with. */
interface Handed {
  gate: Gate
  limits: DomainLimits
  url: string
  purpose: AttendedPurpose
}

/** How it came to an end. */
type Ending = 'save' | 'discard' | 'timeOver' | 'crashed'

/**
 * One run in which a person has the browser in hand: pictures go out, what the person does comes in. There is no trace, no
 * screenshot and no line of what is seen or typed; only that it began and how it ended is told.
 */
export class AttendedRun {
  readonly #order: RunOrder
  readonly #workshop: Workshop
  readonly #teller: RunTeller
  readonly #masker = new Masker()
  readonly #ending = Promise.withResolvers<Ending>()
  #reason = 'The run was cancelled.'
  #timer: NodeJS.Timeout | undefined
  #endsAt = 0
  #screen: Screen | undefined
  #hands: Hands | undefined
  #dialog: Dialog | undefined
  #notice: FrameMeta['notice'] = null

  constructor(order: RunOrder, workshop: Workshop) {
    this.#order = order
    this.#workshop = workshop
    this.#teller = new RunTeller(workshop.channel, this.#masker)
  }

  /** Stops it; nothing is kept. */
  cancel(_mode: 'graceful' | 'now', reason: string): void {
    if (reason !== '') this.#reason = reason
    this.#ending.resolve('discard')
  }

  /** How long it may go on from now; or the person is done. */
  told({ secondsLeft, save }: { secondsLeft: number; save: boolean }): void {
    this.#allow(secondsLeft)
    if (save) this.#ending.resolve('save')
    this.#screen?.refresh()
  }

  /** Plays what the person does. */
  input(events: readonly AttendInput[]): void {
    this.#hands?.play(events)
  }

  /** Does the run. It always ends with a result. */
  async run(): Promise<RunEnd> {
    const began = performance.now()
    this.#workshop.channel.event({
      type: 'stepStarted',
      at: now(),
      ...STEP,
      attempt: 1,
      name: STEP_NAME,
      activity: 'attend',
    })
    const end = await this.#run().catch((error: unknown) =>
      over('failed', error instanceof StepError ? error.class : 'Internal', plainMessage(error)),
    )
    clearTimeout(this.#timer)
    const cancelled = end.result === 'cancelled'
    this.#workshop.channel.event({
      type: 'stepFinished',
      at: now(),
      ...STEP,
      attempt: 1,
      state: end.result === 'succeeded' ? 'succeeded' : cancelled ? 'cancelled' : 'failed',
      outcome: end.result === 'succeeded' ? 'done' : null,
      durationMs: Math.round(performance.now() - began),
      error: end.error && { class: end.error.class, message: end.error.message },
    })
    return end
  }

  async #run(): Promise<RunEnd> {
    const { job, browsers, domainLimits } = this.#order
    const { warm } = this.#workshop
    if (!job.attended) throw new StepError('Internal', 'This run is not for a person.')
    const limits = new DomainLimits(domainLimits)
    const gate = await Gate.open(limits, await this.#upstream())
    const session = new BrowserSession({
      warm,
      browsers,
      job,
      gate,
      storageState: () => this.#storedProfile(),
      trace: false,
      note: () => undefined,
      onDialog: (dialog) => this.#asked(dialog),
      onDownload: () => this.#say('download'),
    })
    try {
      this.#allow(job.attended.seconds)
      const { page } = await session.tab(LANE)
      const context = page.context()
      await this.#hand(context, page, { gate, limits, ...job.attended })
      this.#teller.line('info', 'The browser is open.', null)
      const ending = await this.#ending.promise
      this.#screen?.end()
      const version = session.version
      // Only a sign-in leaves something behind; steps and targets are with the console.
      if (ending === 'save' && job.attended.purpose !== 'signIn')
        return { ...over('succeeded'), browser: version }
      if (ending === 'save') return { ...(await this.#save(context)), browser: version }
      if (ending === 'timeOver')
        return {
          ...over('timed_out', 'TimeLimit', 'The time was over before somebody said that they were done.'),
          browser: version,
        }
      if (ending === 'crashed')
        return { ...over('failed', 'BrowserCrashed', 'The browser ended unexpectedly.'), browser: version }
      return { ...over('cancelled', 'Cancelled', this.#reason), browser: version }
    } finally {
      this.#screen?.end()
      await this.#close(session)
      await gate.close()
    }
  }

  /** Hands the browser over: pictures out, input in. */
  async #hand(context: BrowserContext, first: Page, { gate, limits, url, purpose }: Handed): Promise<void> {
    const { channel } = this.#workshop
    const { folder, params } = this.#order
    const files = new RunFiles({
      folder,
      channel,
      masker: this.#masker,
      maxBytes: params.artifactCapBytes,
      fetchMaxBytes: FETCH_MAX_BYTES,
    })
    const screen = new Screen({
      send: async (meta, jpeg) =>
        answerSchema.parse(await channel.request({ kind: 'frame', meta, jpeg: jpeg.toString('base64') })),
      said: () => ({
        notice: this.#notice,
        dialog: this.#question(),
        secondsLeft: Math.max(0, Math.round((this.#endsAt - performance.now()) / 1000)),
        ...watch.said(),
      }),
    })
    this.#screen = screen
    const common = { page: () => screen.page, size: () => screen.size }
    const watch = new Watch({
      ...common,
      purpose,
      changed: () => screen.refresh(),
      cdp: () => screen.cdp,
      settled: async () => hands.settled(),
      inTurn: (work) => hands.inTurn(work),
      asking: () => this.#dialog?.type(),
      fetch: (fileId) => files.resolve(fileId),
    })
    const tabs = new Tabs({
      context,
      screen,
      gate,
      home: url,
      say: (notice) => this.#say(notice),
      watch,
      inTurn: (work) => hands.inTurn(work),
    })
    const hands = new Hands({
      ...common,
      cdp: () => screen.cdp,
      tabs,
      watch,
      limits,
      notice: (notice) => this.#say(notice),
      answer: (accept, text) => this.#answer(accept, text),
    })
    this.#hands = hands
    context.on('close', () => this.#ending.resolve('crashed'))
    await tabs.begin(first)
    this.#hands.play([{ type: 'open', address: url }])
  }

  #say(notice: FrameMeta['notice']): void {
    if (this.#notice === notice) return
    this.#notice = notice
    this.#screen?.refresh()
  }

  #asked(dialog: Dialog): void {
    this.#dialog = dialog
    this.#screen?.refresh()
  }

  #question(): FrameMeta['dialog'] {
    const dialog = this.#dialog
    if (!dialog) return null
    const kind = z.enum(['alert', 'confirm', 'prompt', 'beforeunload']).catch('alert').parse(dialog.type())
    return { kind, message: dialog.message().slice(0, 1000), value: dialog.defaultValue().slice(0, 1000) }
  }

  #answer(accept: boolean, text: string | undefined): void {
    const dialog = this.#dialog
    this.#dialog = undefined
    void (accept ? dialog?.accept(text) : dialog?.dismiss())?.catch(() => undefined)
    this.#screen?.refresh()
  }

  #allow(seconds: number): void {
    clearTimeout(this.#timer)
    this.#endsAt = performance.now() + seconds * 1000
    this.#timer = setTimeout(() => this.#ending.resolve('timeOver'), seconds * 1000)
  }

  /** Takes what sites have stored, closes the browser, and writes it down; it counts only as it was read back. */
  async #save(context: BrowserContext): Promise<RunEnd> {
    try {
      // A page may hold everything up; what is waited for then holds a slot and the account.
      return await within(SAVE_MS, () => this.#keep(context))
    } catch (error) {
      return over('failed', 'SessionNotSaved', `The session could not be saved: ${plainMessage(error)}`)
    }
  }

  async #keep(context: BrowserContext): Promise<RunEnd> {
    if (this.#dialog) this.#answer(false, undefined)
    const state = await captureProfile(context)
    if (isEmptyProfile(state))
      return over('failed', 'SessionEmpty', 'The site kept nothing in this browser: nobody is signed in.')
    await context.close()
    const path = join(this.#order.folder, SNAPSHOT_FILE)
    await packProfile(`${path}.part`, state)
    await rename(`${path}.part`, path)
    this.#teller.line('info', 'The session was saved and read back.', null)
    return { ...over('succeeded'), snapshot: { file: SNAPSHOT_FILE, expiresAt: endOfSession(state) } }
  }

  async #upstream() {
    const { proxy } = this.#order.job
    if (!proxy) return null
    const { protocol, host, port, username, hasPassword } = proxy
    const secrets = new Secrets(this.#workshop.channel, this.#masker)
    const password = hasPassword ? await secrets.get('proxy.password') : null
    return { protocol, host, port, username, password }
  }

  async #storedProfile() {
    if (!this.#order.job.profile?.snapshot) return undefined
    return unpackProfile(z.string().parse(await this.#workshop.channel.request({ kind: 'snapshot' })))
  }

  async #close(session: BrowserSession): Promise<void> {
    const { warm } = this.#workshop
    const closed = await atMost(CLOSE_MS, session.close().then(always, always))
    if (closed) warm.rest()
    // A context that does not close takes its browser with it.
    else await warm.close().catch(() => undefined)
  }
}

const always = () => true
const now = () => new Date().toISOString()

function over(result: RunEnd['result'], errorClass?: string, message = ''): RunEnd {
  return {
    ...EMPTY_END,
    result,
    error:
      errorClass === undefined
        ? null
        : { class: errorClass, message: message.slice(0, 4000), stepId: 'attend', stepName: STEP_NAME },
  }
}
