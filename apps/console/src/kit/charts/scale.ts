/** A number axis: its end and where its lines are. */
export interface Axis {
  max: number
  ticks: number[]
}

const STEPS = [1, 2, 2.5, 5, 10]

/** Round marks from zero to a little above the largest value; whole numbers where all values are whole. */
export function axisOf(values: readonly number[], wanted = 4): Axis {
  const largest = Math.max(0, ...values)
  if (largest === 0) return { max: 1, ticks: [0, 1] }
  const rough = largest / wanted
  const power = 10 ** Math.floor(Math.log10(rough))
  const whole = values.every(Number.isInteger)
  const step = STEPS.map((factor) => factor * power).find(
    (size) => size >= rough && (!whole || Number.isInteger(size)),
  )
  const size = Math.max(step ?? power * 10, whole ? 1 : 0)
  const count = Math.ceil(largest / size)
  const ticks = Array.from({ length: count + 1 }, (_, at) => Number((at * size).toPrecision(12)))
  return { max: ticks.at(-1) ?? size, ticks }
}

/** Room for the marks of a number axis, the longest of them too. */
export function axisWidthOf(marks: readonly string[]): number {
  return Math.max(44, ...marks.map((mark) => Math.ceil(mark.length * 6.6) + 10))
}

/** Which of many points get a label, so that they do not touch: evenly spaced, the first always among them. */
export function labelled(count: number, width: number, labelWidth = 72): number[] {
  const fits = Math.max(1, Math.floor(width / labelWidth))
  const every = Math.max(1, Math.ceil(count / fits))
  return Array.from({ length: Math.ceil(count / every) }, (_, at) => at * every)
}

/** A line through points, as an SVG path. */
export function linePath(points: readonly (readonly [x: number, y: number])[]): string {
  return points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
