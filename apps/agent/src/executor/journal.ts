import { createHash } from 'node:crypto'
import { StepError, type ErrorData } from '@weft/workflow/errors'
import type { Json } from '@weft/workflow/json'
import type { Journal, JournalEvent } from '@weft/workflow/interpret'
import type { LogLine } from '@weft/contract/runs/schema'
import type { NewEvent } from '../supervisor/journal.ts'
import type { Channel } from './channel.ts'
import type { Masker } from './mask.ts'

/** Inputs and outputs beyond this are told in part: a timeline is for reading. */
const MAX_VALUE_BYTES = 64 * 1024
const MAX_PATH = 500
const MAX_TEXT = 4000

/** A step's place as one text: the rounds it is in, then its id. One that is too long keeps its end and stays unique. */
export function pathOf({ path, stepId }: { path: string; stepId: string }): string {
  const whole = path === '' ? stepId : `${path}/${stepId}`
  if (whole.length <= MAX_PATH) return whole
  const mark = createHash('sha256').update(whole).digest('hex').slice(0, 16)
  return `${mark}/${whole.slice(-(MAX_PATH - 17))}`
}

/** The log's line for a step: who watches it live sees by these where a run is. */
function begins({ name, stepId, attempt }: Extract<JournalEvent, { kind: 'step.started' }>): string {
  return `“${name ?? stepId}” begins${attempt > 1 ? `, attempt ${attempt}` : ''}.`
}

/** Why a run waits long, for its log. */
function waitReason({ for: kind, seconds, at }: Extract<JournalEvent, { kind: 'waiting' }>): string {
  const until = new Date(at + seconds * 1000).toISOString()
  return kind === 'time' ? `until ${until}` : `for an answer under Questions, until ${until}`
}

/** Tells the supervisor what the interpreter tells, with secrets masked before anything leaves this process. */
export class RunTeller {
  readonly #channel: Channel
  readonly #masker: Masker
  /** Hears of each step as it begins. */
  onStepStarted: (event: { path: string; stepId: string }) => void = () => undefined
  /** Looks at a step that failed while its page still stands as it was. */
  onStepFailed: (event: { path: string; stepId: string }) => Promise<void> = async () => undefined

  constructor(channel: Channel, masker: Masker) {
    this.#channel = channel
    this.#masker = masker
  }

  /** The interpreter's journal. An intent is through only when the server has it. */
  readonly journal: Journal = async (event) => {
    const at = new Date(event.at).toISOString()
    const ref = { at, path: pathOf(event), stepId: event.stepId }
    switch (event.kind) {
      case 'step.started':
        this.#channel.event({
          type: 'stepStarted',
          ...ref,
          attempt: event.attempt,
          name: this.#text(event.name ?? event.stepId, 200),
          activity: event.type.slice(0, 64),
          input: this.#value(event.input),
        })
        this.onStepStarted(event)
        this.line('info', begins(event), event.stepId)
        break
      case 'step.finished':
        if (event.status === 'failed') await this.onStepFailed(ref)
        this.#channel.event({ type: 'stepFinished', ...ref, ...this.#finished(event) })
        if (event.error)
          this.line(
            event.willRetry ? 'warn' : 'error',
            `${event.error.class}: ${event.error.message}`,
            event.stepId,
          )
        break
      case 'intent':
        await this.#announce({ type: 'intent', ...ref })
        break
      case 'confirm':
        this.#channel.event({ type: 'confirm', ...ref, effect: event.effect })
        break
      case 'waiting':
        this.waiting(event, waitReason(event))
        this.line('info', `It waits: ${waitReason(event)}.`, event.stepId)
        break
      case 'going':
        this.waiting(event, null)
        break
      case 'log':
        this.line(event.level === 'warning' ? 'warn' : event.level, event.message, event.stepId)
        break
      case 'notify': {
        const level = event.severity === 'error' ? 'error' : event.severity === 'warning' ? 'warn' : 'info'
        const text = event.message === '' ? event.title : `${event.title}\n${event.message}`
        this.#channel.event({ type: 'notice', ...ref, level, text: this.#text(text, MAX_TEXT) })
        break
      }
    }
  }

  /** Adds a line to the run's log. */
  line(level: LogLine['level'], text: string, stepId: string | null): void {
    const line: LogLine = { at: new Date().toISOString(), level, stepId, text: this.#text(text, 16_000) }
    this.#channel.log(`${JSON.stringify(line)}\n`)
  }

  /** The run waits for something outside of it, or goes on. */
  waiting(place: { path: string; stepId: string }, reason: string | null): void {
    const ref = { at: new Date().toISOString(), path: pathOf(place), stepId: place.stepId }
    if (reason === null) this.#channel.event({ type: 'going', ...ref })
    else this.#channel.event({ type: 'waiting', ...ref, reason: this.#text(reason, 200) })
  }

  /** A failure for the run's own record. */
  error(error: ErrorData, stepName: string | null) {
    return {
      class: error.class,
      message: this.#text(error.message, MAX_TEXT),
      stepId: error.stepId,
      stepName,
    }
  }

  #finished(event: Extract<JournalEvent, { kind: 'step.finished' }>) {
    const { attempt, status, outcome, durationMs, output, error } = event
    const cancelled = error?.class === 'Cancelled'
    return {
      attempt,
      state: cancelled ? ('cancelled' as const) : status,
      outcome: outcome?.slice(0, 64) ?? null,
      durationMs: Math.max(0, Math.round(durationMs)),
      output: this.#value(output),
      error: error && { class: error.class, message: this.#text(error.message, MAX_TEXT) },
    }
  }

  async #announce(event: NewEvent): Promise<void> {
    try {
      await this.#channel.request({ kind: 'intent', event })
    } catch (cause) {
      throw new StepError('JournalFailed', 'The server did not take the announcement.', { cause })
    }
  }

  #text(text: string, max: number): string {
    const masked = this.#masker.text(text)
    return masked.length > max ? `${masked.slice(0, max - 1)}…` : masked
  }

  #value(value: Json): Json {
    const masked = this.#masker.value(value)
    const text = JSON.stringify(masked)
    if (text.length <= MAX_VALUE_BYTES) return masked
    return { shortened: true, length: text.length, beginning: text.slice(0, MAX_VALUE_BYTES / 4) }
  }
}
