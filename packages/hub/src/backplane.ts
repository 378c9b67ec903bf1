import type { WireTarget } from './types.ts'

/** What travels between processes. `from` names the process that sent it. */
export type BackplaneMessage =
  | { kind: 'record'; from: string; target: WireTarget; record: string }
  | { kind: 'close'; from: string; target: WireTarget; error?: string; allowReconnect?: boolean }
  | {
      kind: 'group'
      from: string
      action: 'add' | 'remove'
      connectionId: string
      group: string
      request: number
    }
  | { kind: 'ack'; from: string; to: string; request: number }

/**
 * Carries messages to every process, the sender's own included, in the order in which each of them published. Delivery
 * is at most once; a process that was cut off may have missed some.
 */
export interface Backplane {
  start(deliver: (message: BackplaneMessage) => void): Promise<void>
  /** Settles when the message is on its way to all. */
  publish(message: BackplaneMessage): Promise<void>
  stop(): Promise<void>
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isTarget(value: unknown): value is WireTarget {
  if (!isObject(value)) return false
  if (value['to'] === 'all') return true
  return ['user', 'group', 'connection'].includes(String(value['to'])) && typeof value['id'] === 'string'
}

/** Checks what came in from elsewhere; null for what a newer version may have sent. */
export function asBackplaneMessage(value: unknown): BackplaneMessage | null {
  if (!isObject(value) || typeof value['from'] !== 'string') return null
  const { kind, from, target, record, error, allowReconnect, action, connectionId, group, request } = value
  if (kind === 'record' && isTarget(target) && typeof record === 'string')
    return { kind, from, target, record }
  if (kind === 'close' && isTarget(target))
    return {
      kind,
      from,
      target,
      ...(typeof error === 'string' ? { error } : {}),
      ...(allowReconnect === true ? { allowReconnect } : {}),
    }
  if (typeof request !== 'number') return null
  if (kind === 'ack' && typeof value['to'] === 'string') return { kind, from, to: value['to'], request }
  if (
    kind === 'group' &&
    (action === 'add' || action === 'remove') &&
    typeof connectionId === 'string' &&
    typeof group === 'string'
  )
    return { kind, from, action, connectionId, group, request }
  return null
}
