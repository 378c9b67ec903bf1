import type { Backplane, BackplaneMessage } from './backplane.ts'

/** Joins hubs inside one process. Each hub takes its own end by `connect`. */
export interface MemoryBus {
  connect(): Backplane
}

/** A bus that every connected hub hears, the sender too, in the order of publishing. */
export function createMemoryBus(): MemoryBus {
  const listeners = new Set<(message: BackplaneMessage) => void>()
  return {
    connect() {
      let own: ((message: BackplaneMessage) => void) | null = null
      return {
        async start(deliver) {
          own = deliver
          listeners.add(deliver)
        },
        async publish(message) {
          // As from a real network: never inside the caller's own turn.
          await Promise.resolve()
          for (const deliver of listeners) deliver(message)
        },
        async stop() {
          if (own) listeners.delete(own)
        },
      }
    },
  }
}
