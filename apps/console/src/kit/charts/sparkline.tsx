import type { Tone } from '../status/tones.ts'
import { useLanguage } from '../../lib/i18n/texts.ts'
import { linePath } from './scale.ts'
import classes from './chart.module.css'

/** A small line without axes, beside a number that says what it is. */
export function Sparkline(props: {
  values: readonly number[]
  tone?: Tone
  width?: number
  height?: number
}) {
  const { rtl } = useLanguage()
  const { values, tone = 'green', width = 96, height = 28 } = props
  if (values.length < 2) return null
  const max = Math.max(1, ...values)
  const points = values.map((value, at) => {
    const along = (at / (values.length - 1)) * (width - 2) + 1
    return [rtl ? width - along : along, height - 2 - (value / max) * (height - 4)] as const
  })
  return (
    <svg width={width} height={height} aria-hidden data-tone={tone}>
      <path className={classes.line} d={linePath(points)} />
    </svg>
  )
}
