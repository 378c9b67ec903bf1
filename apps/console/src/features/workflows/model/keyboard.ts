/** What a key does in the outline. */
export type OutlineCommand =
  | 'up'
  | 'down'
  | 'first'
  | 'last'
  | 'out'
  | 'in'
  | 'extendUp'
  | 'extendDown'
  | 'moveUp'
  | 'moveDown'
  | 'moveOut'
  | 'moveIn'
  | 'edit'
  | 'add'
  | 'remove'
  | 'duplicate'
  | 'toggleDisabled'
  | 'undo'
  | 'redo'
  | 'selectAll'
  | 'clear'
  | 'save'
  | 'runStep'
  | 'runFrom'
  | 'comment'

/** The part of a keyboard event that decides. */
export interface KeyPress {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

const plain: Readonly<Record<string, OutlineCommand>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'first',
  End: 'last',
  Enter: 'edit',
  F2: 'edit',
  Insert: 'add',
  '+': 'add',
  Delete: 'remove',
  Backspace: 'remove',
  Escape: 'clear',
  c: 'comment',
  // The same key where letters are Arabic.
  ؤ: 'comment',
}
const withAlt: Readonly<Record<string, OutlineCommand>> = { ArrowUp: 'moveUp', ArrowDown: 'moveDown' }
const withShift: Readonly<Record<string, OutlineCommand>> = {
  ArrowUp: 'extendUp',
  ArrowDown: 'extendDown',
  // On most layouts a plus needs Shift.
  '+': 'add',
}
const withCtrl: Readonly<Record<string, OutlineCommand>> = {
  d: 'duplicate',
  z: 'undo',
  y: 'redo',
  a: 'selectAll',
  s: 'save',
  '/': 'toggleDisabled',
  enter: 'runStep',
}

const withCtrlShift: Readonly<Record<string, OutlineCommand>> = { z: 'redo', enter: 'runFrom' }

/**
 * The command of a key. Arrows to the side follow the reading direction: towards the start leads out, towards the end
 * leads in. Copy, cut and paste are the browser's own events and not among these.
 */
export function commandOf(press: KeyPress, rtl: boolean): OutlineCommand | undefined {
  const ctrl = press.ctrlKey || press.metaKey
  const side = sideOf(press.key, rtl)
  if (ctrl && press.altKey) return undefined
  if (ctrl) {
    const key = press.key.toLowerCase()
    if (press.shiftKey) return withCtrlShift[key]
    return withCtrl[key]
  }
  if (press.altKey) {
    if (press.shiftKey) return undefined
    if (side) return side === 'start' ? 'moveOut' : 'moveIn'
    return withAlt[press.key]
  }
  if (press.shiftKey) return withShift[press.key]
  if (side) return side === 'start' ? 'out' : 'in'
  return plain[press.key]
}

function sideOf(key: string, rtl: boolean): 'start' | 'end' | undefined {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined
  return (key === 'ArrowLeft') === rtl ? 'end' : 'start'
}
