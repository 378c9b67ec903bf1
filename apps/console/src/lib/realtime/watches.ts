/** Who listens to the live stream of a record, such as a run's log. */
export type StreamFeature = 'runs' | 'campaigns'
export type StreamListener = (message: unknown) => void

/** Asks the hub to begin or to end a stream. */
export interface StreamPort {
  watch: (feature: StreamFeature, id: string) => void
  unwatch: (feature: StreamFeature, id: string) => void
}

/** Keeps one stream per record, however many components look at it, and asks again after a reconnect. */
export class Watches {
  readonly #listeners = new Map<string, Set<StreamListener>>()
  #port: StreamPort | null = null

  /** The connection is open: asks for all streams that are looked at. */
  open(port: StreamPort): void {
    this.#port = port
    for (const key of this.#listeners.keys()) port.watch(...parse(key))
  }

  /** The connection is gone. */
  lost(): void {
    this.#port = null
  }

  /** Listens until the returned function is called. */
  add(feature: StreamFeature, id: string, listener: StreamListener): () => void {
    const key = `${feature} ${id}`
    const listeners = this.#listeners.get(key) ?? new Set()
    listeners.add(listener)
    if (!this.#listeners.has(key)) {
      this.#listeners.set(key, listeners)
      this.#port?.watch(feature, id)
    }
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0 || this.#listeners.get(key) !== listeners) return
      this.#listeners.delete(key)
      this.#port?.unwatch(feature, id)
    }
  }

  /** Hands a message to those who look at the record. */
  tell(feature: StreamFeature, id: string, message: unknown): void {
    for (const listener of this.#listeners.get(`${feature} ${id}`) ?? []) listener(message)
  }
}

function parse(key: string): [StreamFeature, string] {
  const [feature, id = ''] = key.split(' ')
  return [feature === 'campaigns' ? 'campaigns' : 'runs', id]
}

/** The streams of this tab. */
export const watches = new Watches()
