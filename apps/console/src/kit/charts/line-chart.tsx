import { Chart } from './chart.tsx'
import { linePath } from './scale.ts'
import type { ChartProps } from './series.ts'
import classes from './chart.module.css'

/** Values over time as lines; the first one stands on a light area. */
export function LineChart(props: ChartProps) {
  return (
    <Chart
      {...props}
      banded={false}
      draw={(plot) =>
        props.series.map(({ id, tone, values, comparison }, at) => {
          const points = values.flatMap((value, index) =>
            value === null ? [] : [[plot.x(index), plot.y(value)] as const],
          )
          const [first, last] = [points[0], points.at(-1)]
          const area =
            at === 0 && !comparison && first && last
              ? `${linePath(points)}L${last[0]} ${plot.y(0)}L${first[0]} ${plot.y(0)}Z`
              : undefined
          return (
            <g key={id} data-tone={tone}>
              {area && <path className={classes.area} d={area} />}
              <path className={classes.line} data-comparison={comparison || undefined} d={linePath(points)} />
              {points.length === 1 && first && (
                <circle className={classes.bar} cx={first[0]} cy={first[1]} r={3} />
              )}
            </g>
          )
        })
      }
    />
  )
}
