import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { clientConfig, type DatabaseAddress } from './connection.ts'

/** Hears a notice, or `undefined` after a new connection, when any may have been missed. */
export type OnNotice = (payload: string | undefined) => void

interface Log {
  warn(fields: object, text: string): void
}

const CHANNEL = /^[a-z_][a-z0-9_]{0,62}$/
const AGAIN_MS = 100

/** One connection that listens for all of this process's channels, and comes back when it breaks. */
export class Listener {
  readonly #address: () => DatabaseAddress
  readonly #log: Log
  readonly #channels = new Map<string, Set<OnNotice>>()
  #client: Client | undefined
  #stopped = false
  #connecting: Promise<void> | undefined

  constructor(address: () => DatabaseAddress, log: Log) {
    this.#address = address
    this.#log = log
  }

  /** Hears a channel until the returned function is called. */
  async listen(channel: string, onNotice: OnNotice): Promise<() => Promise<void>> {
    if (!CHANNEL.test(channel)) throw new Error(`not a channel's name: ${channel}`)
    const listeners = this.#channels.get(channel) ?? new Set()
    this.#channels.set(channel, listeners.add(onNotice))
    await this.#connected()
    if (listeners.size === 1) await this.#client?.query(`listen ${channel}`)
    return () => {
      listeners.delete(onNotice)
      return Promise.resolve()
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#client?.end().catch(() => {})
  }

  #connected(): Promise<void> {
    this.#connecting ??= this.#connect()
    return this.#connecting
  }

  async #connect(): Promise<void> {
    for (let first = true; !this.#stopped; first = false) {
      const client = new Client({ ...clientConfig(this.#address()), application_name: 'weft listener' })
      client.on('error', () => {})
      try {
        await client.connect()
        for (const channel of this.#channels.keys()) await client.query(`listen ${channel}`)
      } catch (error) {
        if (first) this.#log.warn({ err: error }, 'the listening connection cannot be made yet')
        await client.end().catch(() => {})
        await delay(AGAIN_MS)
        continue
      }
      client.on('notification', ({ channel, payload }) => this.#tell(channel, payload ?? ''))
      client.once('end', () => this.#lost())
      this.#client = client
      return
    }
  }

  #lost(): void {
    if (this.#stopped) return
    this.#client = undefined
    this.#connecting = this.#connect()
    void this.#tellAll(this.#connecting)
  }

  async #tellAll(connecting: Promise<void>): Promise<void> {
    await connecting
    for (const channel of this.#channels.keys()) this.#tell(channel, undefined)
  }

  #tell(channel: string, payload: string | undefined): void {
    for (const onNotice of this.#channels.get(channel) ?? []) onNotice(payload)
  }
}
