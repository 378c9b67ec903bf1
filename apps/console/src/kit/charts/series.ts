import type { Tone } from '../status/tones.ts'

/** One row of numbers over the points of a chart. */
export interface Series {
  id: string
  label: string
  tone: Tone
  values: readonly (number | null)[]
  /** The period before, drawn lighter. */
  comparison?: boolean
}

/** What every chart is told. */
export interface ChartProps {
  /** What is shown, with its unit and period. */
  title: string
  /** The names of the points, as shown under the axis and in the table. */
  points: readonly string[]
  /** A shorter form for the axis. */
  shortPoints?: readonly string[]
  series: readonly Series[]
  height?: number
  /** Writes a value; a plain number by default. */
  format?: (value: number) => string
}
