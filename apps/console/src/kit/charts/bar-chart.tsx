import { Chart } from './chart.tsx'
import type { ChartProps } from './series.ts'
import classes from './chart.module.css'

const WIDEST = 28

/** Values side by side, or with `stacked` piled up. */
export function BarChart({ stacked = false, ...props }: ChartProps & { stacked?: boolean }) {
  return (
    <Chart
      {...props}
      banded
      stacked={stacked}
      draw={(plot) =>
        props.points.map((point, index) => {
          const count = stacked ? 1 : props.series.length
          const width = Math.min(WIDEST, (plot.band * 0.7) / count)
          let under = 0
          return (
            <g key={`${point}${index}`}>
              {props.series.map(({ id, tone, values, comparison }, at) => {
                const value = values[index] ?? 0
                if (value <= 0) return null
                const from = stacked ? under : 0
                if (stacked) under += value
                const shift = stacked ? 0 : (at - (count - 1) / 2) * width
                const top = plot.y(from + value)
                return (
                  <rect
                    key={id}
                    data-tone={tone}
                    data-comparison={comparison || undefined}
                    className={classes.bar}
                    x={plot.x(index) + shift - width / 2 + 0.5}
                    width={Math.max(1, width - 1)}
                    y={top}
                    height={Math.max(1, plot.y(from) - top)}
                    rx={Math.min(2, width / 4)}
                  />
                )
              })}
            </g>
          )
        })
      }
    />
  )
}

/** Values piled up. */
export function StackedBar(props: ChartProps) {
  return <BarChart {...props} stacked />
}
