import { useEffect, useRef, type MouseEvent, type RefObject, type TouchEvent } from 'react'
import type { AttendInput, FrameMeta } from '@weft/contract/attended-runs/schema'
import { useT } from '../text.ts'
import { keyInput, modifiersOf } from './keys.ts'
import classes from './viewer.module.css'

const BUTTONS = ['left', 'middle', 'right'] as const
/** Two presses of Esc within this time leave the page. */
const LEAVE_MS = 700

/**
 * The picture of the page. While it has the focus, keys go to the page; Esc pressed twice gives them back. Input methods
 * and the keyboards of phones write into a field that nobody sees, and what they wrote goes as text.
 */
export function Screen(props: {
  canvas: RefObject<HTMLCanvasElement | null>
  meta: FrameMeta | null
  /** Null where this person only looks on. */
  act: ((event: AttendInput) => void) | null
  onLeave: () => void
}) {
  const t = useT()
  const { canvas, meta, act, onLeave } = props
  const field = useRef<HTMLTextAreaElement>(null)
  const escAt = useRef(Number.NEGATIVE_INFINITY)
  const touch = useRef<{ x: number; y: number } | null>(null)

  useEffect(() => {
    const shown = canvas.current
    if (!shown || !act) return undefined
    // React listens to the wheel passively; the console's page must not scroll as well.
    const turn = (event: WheelEvent) => {
      event.preventDefault()
      const factor = event.deltaMode === 1 ? 16 : 1
      act({
        type: 'wheel',
        ...placeIn(shown, event),
        dx: clamp(event.deltaX * factor),
        dy: clamp(event.deltaY * factor),
        modifiers: modifiersOf(event),
      })
    }
    shown.addEventListener('wheel', turn, { passive: false })
    return () => shown.removeEventListener('wheel', turn)
  }, [canvas, act])

  const mouse = (action: 'move' | 'down' | 'up') => (event: MouseEvent<HTMLCanvasElement>) => {
    if (!act) return
    if (action !== 'move') event.preventDefault()
    if (action === 'down') field.current?.focus({ preventScroll: true })
    act({
      type: 'mouse',
      action,
      ...placeIn(event.currentTarget, event),
      button: action === 'move' ? 'none' : (BUTTONS[event.button] ?? 'left'),
      buttons: event.buttons & 7,
      clicks: action === 'move' ? 0 : Math.min(3, Math.max(1, event.detail)),
      modifiers: modifiersOf(event),
    })
  }
  const drag = (event: TouchEvent<HTMLCanvasElement>) => {
    const point = event.touches.item(0)
    if (!act || !point) return
    const before = touch.current
    touch.current = { x: point.clientX, y: point.clientY }
    if (!before) return
    const scale = (meta?.width ?? 1) / Math.max(1, event.currentTarget.clientWidth)
    act({
      type: 'wheel',
      ...placeIn(event.currentTarget, point),
      dx: clamp((before.x - point.clientX) * scale),
      dy: clamp((before.y - point.clientY) * scale),
      modifiers: 0,
    })
  }
  const write = (text: string) => {
    if (field.current) field.current.value = ''
    if (text !== '') act?.({ type: 'text', text: text.slice(0, 10_000) })
  }

  return (
    <div
      className={classes.screen}
      dir="ltr"
      data-acting={act !== null}
      style={{ '--ratio': meta ? meta.width / meta.height : 1.6 }}
    >
      <canvas
        ref={canvas}
        className={classes.picture}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn into; an img would flicker
        role="img"
        aria-label={t('viewer.picture', { title: meta?.title || meta?.url || '' })}
        onMouseMove={mouse('move')}
        onMouseDown={mouse('down')}
        onMouseUp={mouse('up')}
        onContextMenu={(event) => event.preventDefault()}
        onTouchStart={() => {
          touch.current = null
        }}
        onTouchMove={drag}
      />
      {act && (
        <textarea
          ref={field}
          className={classes.keys}
          aria-label={t('viewer.keys')}
          aria-describedby="desk-keys-help"
          autoCapitalize="none"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              const now = performance.now()
              if (now - escAt.current < LEAVE_MS) return onLeave()
              escAt.current = now
            }
            const input = keyInput(event.nativeEvent)
            if (!input) return
            event.preventDefault()
            act(input)
          }}
          onKeyUp={(event) => {
            const input = keyInput(event.nativeEvent)
            if (input) act(input)
          }}
          onPaste={(event) => {
            event.preventDefault()
            write(event.clipboardData.getData('text/plain'))
          }}
          onCompositionEnd={(event) => write(event.data)}
          onInput={(event) => {
            if (event.nativeEvent instanceof InputEvent && event.nativeEvent.isComposing) return
            write(event.currentTarget.value)
          }}
        />
      )}
    </div>
  )
}

function placeIn(element: Element, at: { clientX: number; clientY: number }): { x: number; y: number } {
  const box = element.getBoundingClientRect()
  return {
    x: share((at.clientX - box.left) / Math.max(1, box.width)),
    y: share((at.clientY - box.top) / Math.max(1, box.height)),
  }
}

const share = (value: number) => Math.min(1, Math.max(0, value))
const clamp = (value: number) => Math.min(5000, Math.max(-5000, value))
