import { IconArrowDownRight, IconArrowUpRight, IconMinus } from '@tabler/icons-react'
import { useSyncExternalStore, type ReactNode } from 'react'
import { useFormats } from '../../lib/formats.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { live } from '../../lib/realtime/state.ts'
import type { Tone } from '../status/tones.ts'
import { changeOf } from './change.ts'
import classes from './progress.module.css'

/** A part of a bar, in its tone. */
export interface BarSegment {
  value: number
  tone: Tone
  label: string
}

/** How far something is: a bar with numbers, rate and what is left. `segments` part what is done by what came of it. */
export function ProgressBar(props: {
  value: number
  max: number
  label: string
  segments?: readonly BarSegment[]
  ratePerMinute?: number | null
  etaSeconds?: number | null
  /** Only the bar. */
  bare?: boolean
}) {
  const t = useKitText()
  const formats = useFormats()
  const { value, max } = props
  const share = max > 0 ? Math.min(1, value / max) : 0
  const segments = props.segments ?? [{ value, tone: 'green' as const, label: props.label }]
  return (
    <div className={classes.progress}>
      <div
        className={classes.bar}
        // A bar of several parts, which the element of that name cannot show.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="progressbar"
        aria-label={props.label}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={value}
        aria-valuetext={t('progress.of', { value, max })}
      >
        {segments
          .filter((segment) => segment.value > 0)
          .map((segment) => (
            <span
              key={segment.label}
              title={`${segment.label}: ${formats.number(segment.value)}`}
              data-tone={segment.tone}
              style={{ inlineSize: `${max > 0 ? (segment.value / max) * 100 : 0}%` }}
            />
          ))}
      </div>
      {!props.bare && (
        <div className={classes.numbers}>
          <span>
            {t('progress.of', { value, max })} <strong>{formats.percent(share)}</strong>
          </span>
          <span className={classes.pace}>
            {props.ratePerMinute ? (
              <span>{t('progress.rate', { rate: Math.round(props.ratePerMinute * 10) / 10 })}</span>
            ) : null}
            {props.etaSeconds ? (
              <span>{t('progress.eta', { time: formats.duration(props.etaSeconds * 1000) })}</span>
            ) : null}
          </span>
        </div>
      )}
    </div>
  )
}

/** One figure with its change to the period before. `better` says which direction is good news. */
export function Stat(props: {
  label: string
  value: ReactNode
  now?: number | null
  previous?: number | null
  better?: 'up' | 'down'
  hint?: ReactNode
  children?: ReactNode
}) {
  const t = useKitText()
  const formats = useFormats()
  const change = changeOf(props.now, props.previous)
  const better = props.better ?? 'up'
  const good = change !== null && change !== 0 && (better === 'up' ? change > 0 : change < 0)
  const Arrow =
    change === null || change === 0 ? IconMinus : change > 0 ? IconArrowUpRight : IconArrowDownRight
  const words = change === null ? '' : `${change > 0 ? '+' : ''}${formats.percent(change)}`
  return (
    <div className={classes.stat}>
      <div className={classes.statLabel}>{props.label}</div>
      <div className={classes.statValue}>
        <span className="numbers">{props.value}</span>
        {change !== null && (
          <span
            className={classes.change}
            data-good={change === 0 ? undefined : good}
            title={t('chart.change', { change: words })}
          >
            <Arrow size={14} aria-hidden />
            <bdi dir="ltr">{words}</bdi>
          </span>
        )}
      </div>
      {props.hint && <div className={classes.hint}>{props.hint}</div>}
      {props.children}
    </div>
  )
}

/** Until when what is shown is true; marked while the live connection is away, which the frame explains. */
export function Freshness({ at }: { at?: string | number | null | undefined }) {
  const t = useKitText()
  const formats = useFormats()
  const { lostSince } = useSyncExternalStore(live.subscribe, live.get)
  if (at === null || at === undefined) return null
  return (
    <span className={classes.fresh} data-lost={lostSince !== null || undefined}>
      {t('freshness.asOf', { time: formats.time(new Date(at)) })}
    </span>
  )
}
