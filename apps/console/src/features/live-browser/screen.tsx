import { useEffect, useRef, type MouseEvent, type ReactNode, type RefObject } from 'react'
import type { AttendInput, FrameMeta } from '@weft/contract/attended-runs/schema'
import { useT } from './text.ts'
import { keyInput, modifiersOf } from './keys.ts'
import { placeIn } from './place.ts'
import { useTouch } from './use-touch.ts'
import { useZoom } from './use-zoom.ts'
import { ZoomTools } from './zoom-tools.tsx'
import classes from './live-browser.module.css'

const BUTTONS = ['left', 'middle', 'right'] as const
/** Two presses of Esc within this time leave the page. */
const LEAVE_MS = 700

/**
 * The picture of the page. While it has the focus, keys go to the page; Esc pressed twice gives them back. Input methods
 * and the keyboards of phones write into a field that nobody sees, and what they wrote goes as text.
 */
export function Screen(props: {
  canvas: RefObject<HTMLCanvasElement | null>
  /** The field that keys are written in. */
  keys: RefObject<HTMLTextAreaElement | null>
  meta: FrameMeta | null
  /** Null where this person only looks on. */
  act: ((event: AttendInput) => void) | null
  onLeave: () => void
  /** What lies over the picture, in shares of it. */
  overlay?: ReactNode
}) {
  const t = useT()
  const { canvas, keys: field, meta, act, onLeave, overlay } = props
  const escAt = useRef(Number.NEGATIVE_INFINITY)
  const zoom = useZoom(meta !== null)
  const { frame, zoom: size } = zoom
  const touch = useTouch(zoom, act, meta?.width ?? 1)

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
  const write = (into: HTMLTextAreaElement, text: string) => {
    into.value = ''
    if (text !== '') act?.({ type: 'text', text: text.slice(0, 10_000) })
  }

  return (
    <div className={classes.around}>
      <div
        ref={frame}
        className={classes.screen}
        dir="ltr"
        data-acting={act !== null}
        style={{ '--ratio': meta ? meta.width / meta.height : 1.6, '--zoom': size }}
      >
        <div className={classes.stage}>
          <canvas
            ref={canvas}
            className={classes.picture}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn into; an img would flicker
            role="img"
            aria-label={t('picture', { title: meta?.title || meta?.url || '' })}
            onMouseMove={mouse('move')}
            onMouseDown={mouse('down')}
            onMouseUp={mouse('up')}
            onContextMenu={(event) => event.preventDefault()}
            {...touch}
          />
          {overlay}
        </div>
        {act && (
          <textarea
            ref={field}
            className={classes.keys}
            aria-label={t('keys')}
            aria-describedby="live-keys-help"
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
              write(event.currentTarget, event.clipboardData.getData('text/plain'))
            }}
            onCompositionEnd={(event) => write(event.currentTarget, event.data)}
            onInput={(event) => {
              if (event.nativeEvent instanceof InputEvent && event.nativeEvent.isComposing) return
              write(event.currentTarget, event.currentTarget.value)
            }}
          />
        )}
      </div>
      <ZoomTools zoom={size} zoomTo={zoom.zoomTo} least={zoom.least} most={zoom.most} />
    </div>
  )
}

const clamp = (value: number) => Math.min(5000, Math.max(-5000, value))
