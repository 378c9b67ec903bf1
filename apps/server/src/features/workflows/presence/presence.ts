import type { FastifyBaseLogger } from 'fastify'
import type { PresenceMessage } from '@weft/contract/workflows/presence'
import type { Db } from '../../../db/connection.ts'
import type { SignedInUser } from '../../../kit/context.ts'
import type { Notices } from '../../../kit/deps.ts'
import { isId } from '../../../kit/id.ts'
import { rosterOf } from './roster.ts'
import {
  clearWhereabouts,
  noteWhereabouts,
  PRESENCE_CHANNEL,
  readWhereabouts,
  type SeenWhereabouts,
} from './store.ts'

/** Whoever walks through the steps with a key held down is written down so often at most. */
const WRITE_MS = 250
/** How often a process says that its pages are still there, and looks at what it may have missed. */
const BEAT_MS = 10_000

/** A page of this process that shows a workflow. */
export interface Page {
  connectionId: string
  person: SignedInUser
  /** Whoever looks on as somebody else sees who is there, and is not there. */
  unseen: boolean
}

interface Here extends Page {
  workflowId: string
  stepId: string | null
  /** What it was told last. */
  told: string | null
}

/** What presence needs of the hub and the rules. */
export interface PresenceOptions {
  db: Db
  log: FastifyBaseLogger
  /** Those of the workflows that somebody may see. */
  among(person: SignedInUser, workflowIds: readonly string[]): Promise<ReadonlySet<string>>
  send(connectionId: string, message: PresenceMessage): void
}

/**
 * Who has which workflow open. Each process knows its own pages and writes them to a table that all of them read; a notice
 * says whose people changed. Whoever may no longer see a workflow is taken out of it, and told nothing more.
 */
export class Presence {
  readonly #options: PresenceOptions
  readonly #here = new Map<string, Here>()
  /** Pages to be written down or forgotten, and the workflows whose people changed by it. */
  readonly #dirty = new Set<string>()
  readonly #gone = new Set<string>()
  readonly #changed = new Set<string>()
  #writing: Promise<void> | undefined
  #writtenAt = -WRITE_MS
  #timer: ReturnType<typeof setTimeout> | undefined
  #beat: ReturnType<typeof setInterval> | undefined
  /** Workflows whose people are to be told anew. */
  readonly #untold = new Set<string>()
  /** Those of them of which somebody may have lost the right to see them. */
  readonly #doubted = new Set<string>()
  #telling: Promise<void> | undefined
  readonly #undo: (() => Promise<void>)[] = []

  constructor(options: PresenceOptions) {
    this.#options = options
  }

  async start(notices: Notices): Promise<void> {
    this.#undo.push(
      await notices.listen(PRESENCE_CHANNEL, (workflowId) =>
        // Where somebody is changes often and nobody's rights; what was missed may be anything.
        workflowId === undefined ? this.look(this.#open()) : this.#look([workflowId]),
      ),
    )
    this.#beat = setInterval(() => this.#keep(), BEAT_MS)
    this.#beat.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#beat)
    clearTimeout(this.#timer)
    for (const step of this.#undo) await step()
    for (const connectionId of this.#here.keys()) this.leave(connectionId)
    clearTimeout(this.#timer)
    await this.#writing
    await this.#write()
    await this.#telling
  }

  /** A page shows a workflow, and in it a step; false where its person may not see it. */
  async enter(page: Page, workflowId: string, stepId: string | null, signal: AbortSignal): Promise<boolean> {
    const { connectionId, person } = page
    const known = this.#here.get(connectionId)
    if (known?.workflowId === workflowId) {
      if (known.stepId !== stepId) this.#move(known, stepId)
      return true
    }
    this.leave(connectionId)
    const seen = await this.#options.among(person, [workflowId])
    if (!seen.has(workflowId)) return false
    // It may have been closed while it was asked about.
    if (signal.aborted) return true
    this.#here.set(connectionId, { ...page, workflowId, stepId, told: null })
    // It may have changed while it was asked about, too.
    this.#doubted.add(workflowId)
    if (page.unseen) this.#look([workflowId])
    else this.#note(connectionId, workflowId)
    return true
  }

  /** A page shows no workflow any more, or is closed. */
  leave(connectionId: string): void {
    const known = this.#here.get(connectionId)
    if (!known) return
    this.#here.delete(connectionId)
    if (known.unseen) return
    this.#gone.add(connectionId)
    this.#note(connectionId, known.workflowId)
  }

  /** Looks at workflows anew: who is there, and whether all of them still may be. */
  look(workflowIds: readonly string[]): void {
    for (const id of workflowIds) this.#doubted.add(id)
    this.#look(workflowIds)
  }

  #look(workflowIds: readonly string[]): void {
    const open = new Set(this.#open())
    for (const id of workflowIds)
      if (open.has(id)) this.#untold.add(id)
      else this.#doubted.delete(id)
    if (this.#untold.size === 0 || this.#telling) return
    this.#telling = this.#tellAll()
      .catch((error: unknown) =>
        this.#options.log.debug({ err: error }, 'who has a workflow open could not be told'),
      )
      .finally(() => {
        this.#telling = undefined
        if (this.#untold.size > 0) this.#look([])
      })
  }

  #open(): string[] {
    return [...new Set([...this.#here.values()].map(({ workflowId }) => workflowId))]
  }

  #move(page: Here, stepId: string | null): void {
    page.stepId = stepId
    if (!page.unseen) this.#note(page.connectionId, page.workflowId)
  }

  #note(connectionId: string, workflowId: string): void {
    this.#dirty.add(connectionId)
    this.#changed.add(workflowId)
    this.#writeSoon()
  }

  /** At once, unless something was written a moment ago. */
  #writeSoon(): void {
    const wait = Math.max(0, this.#writtenAt + WRITE_MS - performance.now())
    this.#timer ??= setTimeout(() => void this.#write(), wait)
  }

  /** Writes down what changed; what could not be written is tried again with the next beat. */
  #write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing ??= this.#writeOn()
    return this.#writing
  }

  async #writeOn(): Promise<void> {
    const written = await this.#writeNow()
    this.#writing = undefined
    if (written && this.#changed.size > 0) this.#writeSoon()
  }

  async #writeNow(): Promise<boolean> {
    if (this.#changed.size === 0) return true
    this.#writtenAt = performance.now()
    const dirty = [...this.#dirty]
    const gone = [...this.#gone].filter((id) => !this.#here.has(id))
    const workflowIds = [...this.#changed]
    this.#dirty.clear()
    this.#gone.clear()
    this.#changed.clear()
    try {
      await noteWhereabouts(this.#options.db, { put: this.#whereaboutsOf(dirty), gone, workflowIds })
      return true
    } catch (error) {
      for (const id of dirty) this.#dirty.add(id)
      for (const id of gone) this.#gone.add(id)
      for (const id of workflowIds) this.#changed.add(id)
      this.#options.log.debug({ err: error }, 'who has a workflow open could not be written down')
      return false
    }
  }

  #whereaboutsOf(connectionIds: Iterable<string>) {
    return [...connectionIds].flatMap((connectionId) => {
      const page = this.#here.get(connectionId)
      if (!page || page.unseen) return []
      return [{ connectionId, workflowId: page.workflowId, userId: page.person.id, stepId: page.stepId }]
    })
  }

  async #tellAll(): Promise<void> {
    const workflowIds = [...this.#untold].filter(isId)
    this.#untold.clear()
    if (workflowIds.length === 0) return
    const doubted = workflowIds.filter((id) => this.#doubted.delete(id))
    if (doubted.length > 0) await this.#sendAway(doubted)
    const found = await readWhereabouts(this.#options.db, workflowIds)
    for (const page of this.#here.values()) if (workflowIds.includes(page.workflowId)) this.#tell(page, found)
  }

  /** Takes out who may no longer see the workflow that they have open. */
  async #sendAway(workflowIds: readonly string[]): Promise<void> {
    const seen = new Map<string, ReadonlySet<string>>()
    for (const page of this.#here.values()) {
      if (!workflowIds.includes(page.workflowId)) continue
      const { person, workflowId, connectionId } = page
      const may = seen.get(person.id) ?? (await this.#options.among(person, workflowIds))
      seen.set(person.id, may)
      if (may.has(workflowId) || this.#here.get(connectionId) !== page) continue
      this.leave(connectionId)
      this.#tell(page, [])
    }
  }

  #tell(page: Here, found: readonly SeenWhereabouts[]): void {
    const message = rosterOf(page.workflowId, found, page.unseen ? null : page.person.id)
    const text = JSON.stringify(message)
    if (page.told === text) return
    page.told = text
    this.#options.send(page.connectionId, message)
  }

  /** Says that the pages are still there, and looks at what no notice told of: a process that was killed. */
  #keep(): void {
    if (this.#here.size === 0 && this.#changed.size === 0) return
    for (const { connectionId, unseen } of this.#here.values()) if (!unseen) this.#dirty.add(connectionId)
    for (const id of this.#open()) {
      this.#changed.add(id)
      this.#doubted.add(id)
    }
    void this.#write()
    clearWhereabouts(this.#options.db).catch((error: unknown) =>
      this.#options.log.debug({ err: error }, 'pages that are gone could not be forgotten'),
    )
  }
}
