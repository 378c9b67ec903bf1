import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentParams } from '@weft/contract/agents/sessions'
import type { AgentApi } from '../connection/api.ts'
import { EMPTY_END, SNAPSHOT_FILE } from '../executor/protocol.ts'
import { describeError, type Logger } from '../log.ts'
import { uploadFile } from './file-upload.ts'
import type { Finisher } from './finisher.ts'
import { fileEvent, runNotice, type HeldRun } from './held-run.ts'
import type { FinishBody, PendingFile, RunJournal } from './journal.ts'
import type { Reporter } from './reporter.ts'

/** How long the end of a run is offered to the server. */
const GIVE_UP_MS = 24 * 3600 * 1000

/** What a run leaves to be delivered: while it runs, and after its executor is done with it. */
type Delivered = Pick<HeldRun, 'journal' | 'log' | 'uploads' | 'uploading'>

/** Brings what runs leave behind to the server: files, logs, and their end. All of it is on disk until it is there. */
export class Settling {
  readonly #api: AgentApi
  readonly #reporter: Reporter
  readonly #finisher: Finisher
  readonly #params: () => AgentParams
  readonly #logger: Logger
  readonly #signal: AbortSignal

  constructor(options: {
    api: AgentApi
    reporter: Reporter
    finisher: Finisher
    params: () => AgentParams
    logger: Logger
    signal: AbortSignal
  }) {
    this.#api = options.api
    this.#reporter = options.reporter
    this.#finisher = options.finisher
    this.#params = options.params
    this.#logger = options.logger
    this.#signal = options.signal
  }

  /** Uploads a file behind those before it, then makes it part of the run. */
  queueFile(run: Delivered, file: PendingFile): void {
    run.uploading = run.uploading.then(() => this.#deliverFile(run, file))
  }

  /** Writes the end down, then delivers everything. Resolves when the server has settled the run. */
  async settle(run: Delivered, body: FinishBody): Promise<void> {
    run.journal.writeFinish(body)
    await run.journal.durable()
    // A cancelled run shall be seen as over soon: files that take long are let go.
    const patienceMs = this.#params().cleanupSeconds * 1000
    const letGo = body.result === 'cancelled' ? setTimeout(() => run.uploads.abort(), patienceMs) : undefined
    await this.deliver(run)
    clearTimeout(letGo)
  }

  /** Delivers a run whose end is on disk, this time or in a later life of the program. */
  async deliver(run: Delivered): Promise<void> {
    const { journal, log } = run
    const { finish } = journal
    if (!finish) throw new Error('A run without an end cannot be delivered.')
    const { runId } = journal.holder
    const untilMs = Date.parse(finish.at) + GIVE_UP_MS - Date.now()
    const givenUp = new AbortController()
    const timer = setTimeout(() => givenUp.abort(), Math.max(0, untilMs))
    const signal = AbortSignal.any([this.#signal, givenUp.signal])
    try {
      await run.uploading
      await this.#deliverSnapshot(run, finish.body)
      await log.complete(signal)
      const status = await Promise.race([
        this.#finisher.finish(journal, () => log.size),
        new Promise<'stopped'>((resolve) => {
          if (signal.aborted) resolve('stopped')
          signal.addEventListener('abort', () => resolve('stopped'), { once: true })
        }),
      ])
      this.#reporter.remove(runId)
      log.close()
      if (status === 'stopped' && !givenUp.signal.aborted) {
        journal.close()
        return
      }
      if (status === 'stopped')
        this.#logger.error('The end of a run was not taken for 24 hours.', { run: runId })
      else this.#logger.info('A run is settled.', { run: runId, result: finish.body.result, status })
      await journal.remove()
    } finally {
      clearTimeout(timer)
    }
  }

  async #deliverFile(run: Delivered, file: PendingFile): Promise<void> {
    const { journal } = run
    const path = join(journal.folder, file.file)
    try {
      const stored = await uploadFile(this.#api, path, AbortSignal.any([this.#signal, run.uploads.signal]))
      journal.append(fileEvent(file, stored))
    } catch (error) {
      // The program is stopping: the file stays on disk for its next life.
      if (this.#signal.aborted) return
      journal.dropFile(file)
      const why = run.uploads.signal.aborted ? 'the run was cancelled' : describeError(error)
      journal.append(runNotice('warn', `The file ${file.name} was not kept: ${why}.`))
    }
    this.#reporter.notify()
    await rm(path, { force: true })
  }

  async #deliverSnapshot({ journal, uploads }: Delivered, body: FinishBody): Promise<void> {
    if (!body.snapshot) return
    try {
      const path = join(journal.folder, SNAPSHOT_FILE)
      const stored = await uploadFile(this.#api, path, AbortSignal.any([this.#signal, uploads.signal]))
      if (stored.sha256 === body.snapshot.sha256) return
      throw new Error('it changed after it was checked')
    } catch (error) {
      if (this.#signal.aborted) return
      journal.writeFinish({ ...body, snapshot: null })
      journal.append(runNotice('warn', `The profile was not saved: ${describeError(error)}.`))
      this.#reporter.notify()
    }
  }
}

/** The end of a run of which only its journal is left. */
export function lostBody(journal: RunJournal, errorClass: string, message: string): FinishBody {
  const [open] = journal.openSteps
  return {
    ...EMPTY_END,
    result: 'lost',
    error: { class: errorClass, message, stepId: open?.stepId ?? null, stepName: open?.name ?? null },
    eventCount: journal.eventCount,
    logBytes: 0,
  }
}

/** Ends the steps that were under way when a run's executor ended, so that none seems to run for ever. */
export function closeSteps(journal: RunJournal, errorClass: string, message: string): void {
  for (const { path, stepId, attempt, at } of journal.openSteps) {
    journal.append({
      type: 'stepFinished',
      at: new Date().toISOString(),
      path,
      stepId,
      attempt,
      state: errorClass === 'Cancelled' ? 'cancelled' : 'failed',
      outcome: null,
      durationMs: Math.max(0, Date.now() - Date.parse(at)),
      output: null,
      error: { class: errorClass, message },
    })
  }
}
