import { useId, useState, type PointerEvent, type ReactNode } from 'react'
import { useDelay } from '../../lib/use-delay.ts'
import { toast } from '../toast/toast.ts'

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
  onPointerEnter: (event: PointerEvent) => void
  onPointerLeave: (event: PointerEvent) => void
  onFocus: () => void
}

/** What the popup itself is given: the button it belongs to, and whether and by what it is open. */
export interface PopupParts {
  id: string
  open: 'no' | 'hover' | 'click'
  onClose: () => void
  onPointerEnter: (event: PointerEvent) => void
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
  const { load, onOpen } = props
  const id = useId()
  const [loaded, setLoaded] = useState<{ file: M } | null>(null)
  const [open, setOpen] = useState<PopupParts['open']>('no')
  const delay = useDelay()
  const turn = (to: PopupParts['open']) => {
    delay.stop()
    setOpen(to)
    onOpen?.(to !== 'no')
  }
  const show = async (by: 'hover' | 'click') => {
    try {
      const file = await load()
      setLoaded({ file })
      turn(by)
    } catch (error) {
      toast.failure(error)
    }
  }
  const come = () => {
    if (!loaded)
      load().catch(() => {
        // Nobody has asked for it yet; the click tries again and says what is wrong.
      })
  }
  const onPointerEnter = (event: PointerEvent) => {
    come()
    if (!props.hover || event.pointerType !== 'mouse') return
    if (open === 'no') delay.start(() => void show('hover'), HOVER_MS.open)
    else delay.stop()
  }
  const onPointerLeave = (event: PointerEvent) => {
    if (!props.hover || event.pointerType !== 'mouse' || open === 'click') return
    delay.start(() => turn('no'), HOVER_MS.close)
  }
  return (
    <>
      {props.button({
        id,
        'aria-haspopup': props.kind ?? 'menu',
        'aria-expanded': open !== 'no',
        'aria-controls': open === 'no' ? undefined : `${id}-dropdown`,
        onClick: () => (open === 'click' ? turn('no') : void show('click')),
        onPointerEnter,
        onPointerLeave,
        onFocus: come,
      })}
      {loaded &&
        props.children({ id, open, onClose: () => turn('no'), onPointerEnter, onPointerLeave }, loaded.file)}
    </>
  )
}
