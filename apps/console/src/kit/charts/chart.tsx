import { useElementSize } from '@mantine/hooks'
import { IconChartLine, IconTable } from '@tabler/icons-react'
import { ActionIcon } from '@mantine/core'
import { useState, type PointerEvent, type ReactNode } from 'react'
import { useFormats } from '../../lib/formats.ts'
import { useKitText, useLanguage } from '../../lib/i18n/texts.ts'
import { axisOf, axisWidthOf, labelled } from './scale.ts'
import type { ChartProps } from './series.ts'
import classes from './chart.module.css'

const LABEL_HEIGHT = 24
const TOP = 8
/** Room for one label; where lines run from edge to edge the first begins at its point and reaches further. */
const BAND_LABEL = 72
const LINE_LABEL = 104

/** Where things are drawn; x runs from 0 in reading order. */
export interface Plot {
  width: number
  height: number
  x: (index: number) => number
  y: (value: number) => number
  /** Width that a point has for itself. */
  band: number
}

/**
 * The frame of every chart: title, legend, axes in the person's language and reading order, a line that follows the
 * pointer, and the same numbers as a table.
 */
export function Chart(
  props: ChartProps & {
    /** Bars stand in bands; lines run from edge to edge. */
    banded: boolean
    /** Largest value at one point, where series are piled up. */
    stacked?: boolean
    draw: (plot: Plot) => ReactNode
  },
) {
  const t = useKitText()
  const formats = useFormats()
  const { rtl } = useLanguage()
  const [asTable, setAsTable] = useState(false)
  const [at, setAt] = useState<number | null>(null)
  const { ref, width } = useElementSize()
  const height = props.height ?? 220
  const { points, series } = props
  const format = props.format ?? formats.number
  const sums = points.map((_, index) => series.map(({ values }) => values[index] ?? 0))
  const axis = axisOf(
    sums.flatMap((values) => (props.stacked ? [values.reduce((a, b) => a + b, 0)] : values)),
  )
  const axisWidth = axisWidthOf(axis.ticks.map(format))
  const inner = Math.max(0, width - axisWidth)
  const plotHeight = height - LABEL_HEIGHT - TOP
  const band = points.length > 0 ? inner / points.length : inner
  const gap = points.length > 1 ? inner / (points.length - 1) : 0
  const along = (index: number) => (props.banded ? (index + 0.5) * band : index * gap)
  const plot: Plot = {
    width: inner,
    height: plotHeight,
    band: props.banded ? band : gap,
    x: (index) => (rtl ? inner - along(index) : along(index)),
    y: (value) => TOP + plotHeight - (value / axis.max) * plotHeight,
  }
  const nothing = points.length === 0 || sums.every((values) => values.every((value) => value === 0))
  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const x = event.clientX - box.left - (rtl ? 0 : axisWidth)
    const way = rtl ? inner - x : x
    const index = props.banded ? Math.floor(way / band) : Math.round(way / (gap || 1))
    setAt(index >= 0 && index < points.length ? index : null)
  }
  return (
    <figure className={classes.chart}>
      <figcaption className={classes.head}>
        <span className={classes.title}>{props.title}</span>
        <span className={classes.legend}>
          {series.map(({ id, label, tone, comparison }) => (
            <span key={id} className={classes.key} data-tone={tone} data-comparison={comparison || undefined}>
              {label}
            </span>
          ))}
        </span>
        <ActionIcon
          size={28}
          aria-label={asTable ? t('common.showChart') : t('common.showTable')}
          title={asTable ? t('common.showChart') : t('common.showTable')}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? <IconChartLine size={16} /> : <IconTable size={16} />}
        </ActionIcon>
      </figcaption>
      {asTable ? (
        <ChartTable {...props} format={format} />
      ) : (
        <div ref={ref} className={classes.plot} style={{ height }}>
          {nothing ? (
            <p className={classes.nothing}>{t('chart.noData')}</p>
          ) : (
            width > 0 && (
              <svg
                width={width}
                height={height}
                // What is drawn here is one picture to who cannot see it; there is no tag for that.
                // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
                role="img"
                aria-label={props.title}
                onPointerMove={follow}
                onPointerLeave={() => setAt(null)}
              >
                <g transform={rtl ? undefined : `translate(${axisWidth} 0)`}>
                  {axis.ticks.map((tick) => (
                    <g key={tick}>
                      <line className={classes.grid} x1={0} x2={inner} y1={plot.y(tick)} y2={plot.y(tick)} />
                      <text
                        className={classes.label}
                        x={rtl ? inner + 8 : -8}
                        y={plot.y(tick)}
                        dy="0.32em"
                        textAnchor={rtl ? 'start' : 'end'}
                      >
                        {format(tick)}
                      </text>
                    </g>
                  ))}
                  {at !== null && (
                    <line
                      className={classes.pointer}
                      x1={plot.x(at)}
                      x2={plot.x(at)}
                      y1={TOP}
                      y2={TOP + plotHeight}
                    />
                  )}
                  {props.draw(plot)}
                  {labelled(points.length, inner, props.banded ? BAND_LABEL : LINE_LABEL).map((index) => (
                    <text
                      key={index}
                      className={classes.label}
                      x={plot.x(index)}
                      y={height - 6}
                      textAnchor={!props.banded && index === 0 ? (rtl ? 'end' : 'start') : 'middle'}
                    >
                      {props.shortPoints?.[index] ?? points[index]}
                    </text>
                  ))}
                </g>
              </svg>
            )
          )}
          {at !== null && !nothing && (
            <div
              className={classes.tip}
              style={{
                insetInlineStart: `clamp(0px, ${along(at) + axisWidth + 12}px, calc(100% - 180px))`,
              }}
            >
              <strong>{points[at]}</strong>
              {series.map(({ id, label, tone, values, comparison }) => (
                <span
                  key={id}
                  className={classes.key}
                  data-tone={tone}
                  data-comparison={comparison || undefined}
                >
                  {label}
                  <b>{format(values[at] ?? 0)}</b>
                </span>
              ))}
            </div>
          )}
        </div>
      )}
    </figure>
  )
}

/** The numbers of a chart. */
function ChartTable({ points, series, format }: ChartProps & { format: (value: number) => string }) {
  return (
    <div className={classes.tableBox}>
      <table className={classes.table}>
        <thead>
          <tr>
            <td>{''}</td>
            {series.map(({ id, label }) => (
              <th key={id} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map((point, index) => (
            <tr key={`${point}${index}`}>
              <th scope="row">{point}</th>
              {series.map(({ id, values }) => (
                <td key={id}>{format(values[index] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
