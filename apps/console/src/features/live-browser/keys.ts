import type { AttendInput } from '@weft/contract/attended-runs/schema'

/** What is read of a key's event. */
export interface KeyLike {
  type: string
  key: string
  code: string
  keyCode: number
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  isComposing: boolean
}

/** Held keys as the browser counts them. */
export function modifiersOf(held: Pick<KeyLike, 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>): number {
  return (held.altKey ? 1 : 0) | (held.ctrlKey ? 2 : 0) | (held.metaKey ? 4 : 0) | (held.shiftKey ? 8 : 0)
}

/** Keys of an input method say nothing themselves; what they write comes as text. */
const IME_KEY = 229

/**
 * The key as it is played on the client; null for what an input method handles, and for pasting, which comes as text from
 * this machine's clipboard.
 */
export function keyInput(event: KeyLike): AttendInput | null {
  const { key, code, keyCode } = event
  if (
    event.isComposing ||
    keyCode === IME_KEY ||
    key === 'Dead' ||
    key === 'Unidentified' ||
    key === 'Process'
  )
    return null
  const commands = event.ctrlKey || event.metaKey
  if (commands && key.toLowerCase() === 'v') return null
  // AltGr is Ctrl and Alt together on some systems, and writes.
  const writes = /^.$/u.test(key) && (!commands || (event.ctrlKey && event.altKey))
  const action = event.type === 'keyup' ? 'up' : 'down'
  return {
    type: 'key',
    action,
    key: key.slice(0, 32),
    code: code.slice(0, 32),
    keyCode: Math.min(255, Math.max(0, keyCode)),
    text: action === 'up' ? '' : key === 'Enter' ? '\r' : writes ? key : '',
    modifiers: writes && event.altKey && event.ctrlKey ? 0 : modifiersOf(event),
  }
}
