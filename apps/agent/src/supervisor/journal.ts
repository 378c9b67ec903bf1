import { createHash } from 'node:crypto'
import { closeSync, createReadStream, fdatasync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { finishInput, runEventSchema, type RunEventMessage } from '@weft/contract/agents/reports'
import { z } from 'zod'

const sync = promisify(fdatasync)

/** An event before it has its number. */
export type NewEvent = RunEventMessage extends infer E
  ? E extends RunEventMessage
    ? Omit<E, 'seq'>
    : never
  : never

/** A file of a run that waits to be uploaded; its `file` event follows once the server has all of it. */
export const pendingFileSchema = z.strictObject({
  /** Relative to the run's folder. */
  file: z.string(),
  kind: z.enum(['screenshot', 'trace', 'download']),
  name: z.string(),
  contentType: z.string(),
  at: z.string(),
  path: z.string(),
  stepId: z.string(),
})
/** A file of a run that waits to be uploaded. */
export type PendingFile = z.infer<typeof pendingFileSchema>

/** What is sent as the end of a run, but for the holder and the events that come along. */
export const finishBodySchema = finishInput.shape.runs.element.omit({
  runId: true,
  leaseToken: true,
  events: true,
})
/** The end of a run as it stands in the journal. */
export type FinishBody = z.output<typeof finishBodySchema>

const lineSchema = z.discriminatedUnion('k', [
  z.strictObject({
    k: z.literal('claimed'),
    runId: z.string(),
    attempt: z.int(),
    fence: z.int(),
    leaseToken: z.string(),
    at: z.string(),
  }),
  z.strictObject({ k: z.literal('starting') }),
  z.strictObject({ k: z.literal('event'), event: runEventSchema }),
  z.strictObject({ k: z.literal('file'), file: pendingFileSchema }),
  z.strictObject({ k: z.literal('ack'), seq: z.int() }),
  z.strictObject({ k: z.literal('finish'), at: z.string(), body: finishBodySchema }),
])
type Line = z.infer<typeof lineSchema>

/** Who holds what: the names by which every call about a run is accepted. */
export interface Holder {
  runId: string
  attempt: number
  fence: number
  leaseToken: string
}

/**
 * What this agent knows of one run, kept on disk as an append-only file: a line is written before anything depends on it.
 * `durable` waits until it would survive a power cut. Events stay until the server has acknowledged them.
 */
export class RunJournal {
  readonly holder: Holder
  readonly folder: string
  readonly #fd: number
  #torn = false
  #nextSeq = 1
  #acked = 0
  #unacked: RunEventMessage[] = []
  #pendingFiles: PendingFile[] = []
  #open = new Map<string, OpenStep>()
  starting = false
  finish: { at: string; body: FinishBody } | undefined
  /** Called when the disk refuses a line; the run goes on from memory. */
  onDiskTrouble: (error: unknown) => void = () => undefined

  private constructor(folder: string, holder: Holder) {
    this.folder = folder
    this.holder = holder
    this.#fd = openSync(join(folder, 'journal.ndjson'), 'a', 0o600)
  }

  /** The journal of a run that was just claimed. */
  static begin(runsDir: string, holder: Holder): RunJournal {
    const folder = join(runsDir, `${holder.runId}-${holder.attempt}`)
    mkdirSync(join(folder, 'files'), { recursive: true, mode: 0o700 })
    const journal = new RunJournal(folder, holder)
    const { runId, attempt, fence, leaseToken } = holder
    journal.#write({ k: 'claimed', runId, attempt, fence, leaseToken, at: new Date().toISOString() })
    return journal
  }

  /** The journal that an earlier process left; undefined where not even its first line was written whole. */
  static reopen(folder: string): RunJournal | undefined {
    const lines = readLines(join(folder, 'journal.ndjson'))
    const first = lines.find((line) => line.k === 'claimed')
    if (first?.k !== 'claimed') return undefined
    const { runId, attempt, fence, leaseToken } = first
    const journal = new RunJournal(folder, { runId, attempt, fence, leaseToken })
    // What was being written when the process ended may be half a line.
    journal.#torn = true
    for (const line of lines) journal.#apply(line)
    return journal
  }

  /** The number of the last event; 0 before the first. */
  get eventCount(): number {
    return this.#nextSeq - 1
  }

  get acked(): number {
    return this.#acked
  }

  get pendingFiles(): readonly PendingFile[] {
    return this.#pendingFiles
  }

  /** Steps that began and have not ended. */
  get openSteps(): readonly OpenStep[] {
    return [...this.#open.values()]
  }

  /** Numbers an event and writes it down. */
  append(event: NewEvent): RunEventMessage {
    const numbered = runEventSchema.parse({ ...event, seq: this.#nextSeq })
    this.#record({ k: 'event', event: numbered })
    return numbered
  }

  markStarting(): void {
    this.#record({ k: 'starting' })
  }

  addFile(file: PendingFile): void {
    this.#record({ k: 'file', file })
  }

  /** A file is with the server, or will never be. */
  dropFile(file: PendingFile): void {
    this.#pendingFiles = this.#pendingFiles.filter((other) => other.file !== file.file)
  }

  /** Events after a number, oldest first. */
  after(seq: number, max: number): RunEventMessage[] {
    const from = this.#unacked.findIndex((event) => event.seq > seq)
    return from === -1 ? [] : this.#unacked.slice(from, from + max)
  }

  /** The server has everything up to this number. */
  acknowledge(seq: number): void {
    if (seq > this.#acked) this.#record({ k: 'ack', seq })
  }

  writeFinish(body: FinishBody): void {
    this.#record({ k: 'finish', at: new Date().toISOString(), body })
  }

  /** Resolves once everything written so far survives a power cut. */
  async durable(): Promise<void> {
    try {
      await sync(this.#fd)
    } catch (error) {
      this.onDiskTrouble(error)
    }
  }

  /** Leaves the folder as it is, for another start. */
  close(): void {
    closeSync(this.#fd)
  }

  /** The run is settled: nothing of it is needed any more. */
  async remove(): Promise<void> {
    this.close()
    await rm(this.folder, { recursive: true, force: true })
  }

  #record(line: Line): void {
    this.#apply(line)
    this.#write(line)
  }

  #apply(line: Line): void {
    switch (line.k) {
      case 'claimed':
        break
      case 'starting':
        this.starting = true
        break
      case 'event':
        this.#applyEvent(line.event)
        break
      case 'file':
        this.#pendingFiles.push(line.file)
        break
      case 'ack':
        this.#acked = Math.max(this.#acked, line.seq)
        this.#unacked = this.#unacked.filter((event) => event.seq > line.seq)
        break
      case 'finish':
        this.finish = { at: line.at, body: line.body }
        break
    }
  }

  #applyEvent(event: RunEventMessage): void {
    this.#nextSeq = event.seq + 1
    this.#unacked.push(event)
    if (event.type === 'file') this.#pendingFiles = this.#pendingFiles.filter((file) => !isOf(file, event))
    const key = `${event.path}\n${event.stepId}`
    if (event.type === 'stepStarted') this.#open.set(key, event)
    else if (event.type === 'stepFinished') this.#open.delete(key)
  }

  #write(line: Line): void {
    try {
      writeSync(this.#fd, `${this.#torn ? '\n' : ''}${JSON.stringify(line)}\n`)
      this.#torn = false
    } catch (error) {
      this.#torn = true
      this.onDiskTrouble(error)
    }
  }
}

/** A step that began. */
export type OpenStep = Extract<RunEventMessage, { type: 'stepStarted' }>

function isOf(file: PendingFile, event: Extract<RunEventMessage, { type: 'file' }>): boolean {
  return file.name === event.name && file.at === event.at && file.path === event.path
}

function readLines(path: string): Line[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
  return text.split('\n').flatMap((raw) => {
    if (raw === '') return []
    try {
      const line = lineSchema.safeParse(JSON.parse(raw))
      return line.success ? [line.data] : []
    } catch {
      // Half a line: the process ended while writing it, so nothing depended on it yet.
      return []
    }
  })
}

/** SHA-256 of a file, hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
