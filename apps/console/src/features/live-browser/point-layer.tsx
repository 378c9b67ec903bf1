import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { AttendInput, FrameMeta } from '@weft/contract/attended-runs/schema'
import classes from './live-browser.module.css'
import { placeIn } from './place.ts'
import { useT } from './text.ts'

const percent = (share: number) => `${share * 100}%`
const STEP = 0.01
const BIG_STEP = 0.05

/** Lies over the picture while somebody points: moving shows what is below, pressing chooses it. Arrows and Enter do the same. */
export function PointLayer(props: {
  meta: FrameMeta | null
  act: (event: AttendInput) => void
  pressable: boolean
}) {
  const t = useT()
  const { meta, act, pressable } = props
  const layer = useRef<HTMLButtonElement>(null)
  const number = useRef(meta?.pointed?.number ?? 0)
  const [cursor, setCursor] = useState<{ x: number; y: number } | null>(null)
  useEffect(() => {
    layer.current?.focus({ preventScroll: true })
  }, [])
  const point = (at: { x: number; y: number }, chosen: boolean) => {
    number.current += 1
    act({ type: 'point', number: number.current, ...at, chosen, pressable })
  }
  const onKey = (event: KeyboardEvent) => {
    const at = cursor ?? { x: 0.5, y: 0.5 }
    const by = event.shiftKey ? BIG_STEP : STEP
    const moved = {
      ArrowLeft: { ...at, x: at.x - by },
      ArrowRight: { ...at, x: at.x + by },
      ArrowUp: { ...at, y: at.y - by },
      ArrowDown: { ...at, y: at.y + by },
    }[event.key]
    if (event.key === 'Enter' || event.key === ' ') point(at, true)
    else if (moved) {
      const next = { x: Math.min(1, Math.max(0, moved.x)), y: Math.min(1, Math.max(0, moved.y)) }
      setCursor(next)
      point(next, false)
    } else return
    event.preventDefault()
  }
  const { pointed } = meta ?? {}
  return (
    <button
      ref={layer}
      type="button"
      className={classes.point}
      aria-label={t('pointHere')}
      onKeyDown={onKey}
      onMouseMove={(event) => {
        setCursor(null)
        point(placeIn(event.currentTarget, event), false)
      }}
      onClick={(event) => {
        // A key's click has no place; keys are handled above.
        if (event.detail > 0) point(placeIn(event.currentTarget, event), true)
      }}
    >
      {pointed?.box && (
        <span
          className={classes.pointed}
          data-chosen={pointed.chosen}
          style={{
            left: percent(pointed.box.x),
            top: percent(pointed.box.y),
            width: percent(pointed.box.width),
            height: percent(pointed.box.height),
          }}
        >
          <output className={classes.pointedName} data-below={pointed.box.y < 0.06}>
            <bdi>
              {pointed.tag}
              {pointed.label !== '' && ` “${pointed.label}”`}
            </bdi>
          </output>
        </span>
      )}
      {cursor && (
        <span className={classes.cursor} style={{ left: percent(cursor.x), top: percent(cursor.y) }} />
      )}
    </button>
  )
}
