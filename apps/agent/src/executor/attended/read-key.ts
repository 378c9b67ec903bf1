import type { AttendInput } from '@weft/contract/attended-runs/schema'

/** A key as a recording sees it. */
export interface Pressed {
  /** As a step names it, with what is held beside it. */
  name: string
  /**
   * Writes something; changes what is written; moves within it; goes on to the next field; presses what has the focus; takes
   * back; or is a command of the page.
   */
  does: 'write' | 'edit' | 'move' | 'tab' | 'enter' | 'escape' | 'command'
}

const HELD = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'NumLock', 'Fn', 'Dead'])
const EDITS = new Set(['Backspace', 'Delete'])
const MOVES = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'])
/** They move what is seen, or the cursor: no step needs that. */
const SCROLLS = new Set(['PageUp', 'PageDown', 'Home', 'End'])
const ALT = 1
const CONTROL = 2
const META = 4
const SHIFT = 8
/** With Ctrl or Cmd these work on what is written. */
const EDITING = new Set(['a', 'c', 'x', 'v', 'z', 'y'])

/** Reads a key; undefined for one that does nothing alone. */
export function readKey({
  key,
  text,
  modifiers,
}: Extract<AttendInput, { type: 'key' }>): Pressed | undefined {
  if (HELD.has(key)) return undefined
  const commands = (modifiers & (CONTROL | META | ALT)) !== 0
  if (commands && EDITING.has(key.toLowerCase()) && (modifiers & ALT) === 0)
    return { name: key, does: 'edit' }
  if (commands) {
    const held = [
      ...((modifiers & CONTROL) !== 0 ? ['Control'] : []),
      ...((modifiers & ALT) !== 0 ? ['Alt'] : []),
      ...((modifiers & SHIFT) !== 0 ? ['Shift'] : []),
      ...((modifiers & META) !== 0 ? ['Meta'] : []),
    ]
    return { name: [...held, named(key)].join('+'), does: 'command' }
  }
  if (key === 'Tab') return { name: key, does: 'tab' }
  if (key === 'Enter') return { name: key, does: 'enter' }
  if (key === 'Escape') return { name: key, does: 'escape' }
  if (MOVES.has(key)) return { name: key, does: 'move' }
  if (SCROLLS.has(key) || EDITS.has(key)) return { name: key, does: 'edit' }
  if (text !== '') return { name: named(key), does: 'write' }
  return { name: key, does: 'command' }
}

const named = (key: string) => (key === ' ' ? 'Space' : key)
