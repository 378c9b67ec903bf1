import classes from './auth.module.css'

const LINES = [60, 132, 204, 276, 348, 420, 492, 564, 636, 708]

/** Threads in the background of the sign-in page. */
export function Weave() {
  return (
    <svg className={classes.weave} viewBox="0 0 768 768" preserveAspectRatio="xMidYMid slice" aria-hidden>
      <g stroke="currentColor" strokeWidth="1">
        {LINES.map((at) => (
          <path key={`v${at}`} d={`M${at} 0V768`} />
        ))}
      </g>
      <g stroke="currentColor" strokeWidth="1" strokeDasharray="100 44">
        {LINES.map((at, index) => (
          <path key={`h${at}`} d={`M${index % 2 ? -72 : 0} ${at}H840`} />
        ))}
      </g>
    </svg>
  )
}
