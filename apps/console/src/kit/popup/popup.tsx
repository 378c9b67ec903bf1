import { useEffect, useId, useState, type PointerEvent, type ReactNode } from 'react'
import { useDelay } from '../../lib/use-delay.ts'
import { useLatest } from '../../lib/use-latest.ts'
import { toast } from '../toast/toast.ts'
import { noWish } from './wish.ts'

/** How long a pointer rests on a button before its menu opens, and is away before it closes. */
const HOVER_MS = { open: 60, close: 140 }

/** What the button of a popup is given; it must hand all of it to a `button`. */
export interface PopupButton {
  /** What is opened finds its button by this. */
  id: string
  'aria-haspopup': 'menu' | 'dialog'
  'aria-expanded': boolean
  'aria-controls': string | undefined
  onClick: () => void
  onPointerOver: (event: PointerEvent) => void
  onPointerLeave: (event: PointerEvent) => void
  onFocus: () => void
  onBlur: () => void
}

/** What the popup itself is given: the button it belongs to, and whether and by what it is open. */
export interface PopupParts {
  id: string
  open: 'no' | 'hover' | 'click'
  onClose: () => void
  onPointerOver: (event: PointerEvent) => void
  onPointerLeave: (event: PointerEvent) => void
}

/**
 * A button that opens a menu or a small window. What is opened, and the library that places it, is loaded when somebody
 * first comes near the button; the button stays the same element all the time and so keeps the focus.
 */
export function Popup<M>(props: {
  kind?: 'menu' | 'dialog'
  /** Opens also for a mouse that rests on it, until it leaves; a click keeps it open. */
  hover?: boolean
  /** Loads the file whose parts `children` draws. */
  load: () => Promise<M>
  button: (button: PopupButton) => ReactNode
  children: (parts: PopupParts, loaded: M) => ReactNode
  /** Tells whether it is open, so that rows stay where they are meanwhile. */
  onOpen?: (open: boolean) => void
}) {
  const { load } = props
  const id = useId()
  const [loaded, setLoaded] = useState<{ file: M } | null>(null)
  const [open, setOpen] = useState<PopupParts['open']>('no')
  const delay = useDelay()
  const [wish] = useState(noWish)
  const onOpen = useLatest(props.onOpen)
  const isOpen = open !== 'no'
  useEffect(() => {
    if (!isOpen) return undefined
    const tell = (now: boolean) => onOpen.current?.(now)
    tell(true)
    return () => tell(false)
  }, [isOpen, onOpen])
  // Whatever is still being loaded opens nothing after the button has gone.
  useEffect(() => () => void wish.set('no'), [wish])
  const turn = (to: PopupParts['open']) => {
    delay.stop()
    wish.set(to)
    setOpen(to)
  }
  const show = async (by: 'hover' | 'click') => {
    const isStill = wish.set(by)
    try {
      const file = await load()
      // Meanwhile the pointer has left, something else was asked for, or the button has gone.
      if (!isStill()) return
      setLoaded({ file })
      turn(by)
    } catch (error) {
      if (!isStill()) return
      wish.set('no')
      // Who only came by has asked for nothing.
      if (by === 'click') toast.failure(error)
    }
  }
  const come = () => {
    if (!loaded)
      load().catch(() => {
        // Nobody has asked for it yet; the click tries again and says what is wrong.
      })
  }
  const close = () => {
    giveBackFocus(id)
    turn('no')
  }
  // Not "enter": React swallows that when what was under a resting pointer has just been replaced by the button.
  const onPointerOver = (event: PointerEvent) => {
    if (isWithin(event.currentTarget, event.relatedTarget)) return
    come()
    if (!props.hover || event.pointerType !== 'mouse') return
    if (open === 'no') delay.start(() => void show('hover'), HOVER_MS.open)
    else delay.stop()
  }
  const onPointerLeave = (event: PointerEvent) => {
    if (!props.hover || event.pointerType !== 'mouse' || wish.is() === 'click') return
    if (open === 'no') turn('no')
    else delay.start(() => turn('no'), HOVER_MS.close)
  }
  return (
    <>
      {props.button({
        id,
        'aria-haspopup': props.kind ?? 'menu',
        'aria-expanded': open !== 'no',
        'aria-controls': open === 'no' ? undefined : `${id}-dropdown`,
        onClick: () => (open === 'click' ? turn('no') : void show('click')),
        onPointerOver,
        onPointerLeave,
        onFocus: come,
        // Who has gone on does not want what has not come yet.
        onBlur: () => {
          if (open === 'no') turn('no')
        },
      })}
      {loaded && props.children({ id, open, onClose: close, onPointerOver, onPointerLeave }, loaded.file)}
    </>
  )
}

function isWithin(outer: Element, target: EventTarget | null): boolean {
  return target instanceof Node && outer.contains(target)
}

/** Gives the focus back to the button of a popup that closes, unless it has gone somewhere on purpose. */
function giveBackFocus(id: string): void {
  const at = document.activeElement
  if (at === null || at === document.body || document.getElementById(`${id}-dropdown`)?.contains(at))
    document.getElementById(id)?.focus({ preventScroll: true })
}
