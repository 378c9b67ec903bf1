import { useId } from 'react'

/** The mark: two warp threads and the weft that passes over one and under the other. */
export function Mark({ size = 28 }: { size?: number }) {
  const id = useId()
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden focusable="false">
      <defs>
        <linearGradient id={id} x1="2" y1="4" x2="30" y2="28" gradientUnits="userSpaceOnUse">
          <stop stopColor="#0db976" />
          <stop offset="1" stopColor="#675dd8" />
        </linearGradient>
      </defs>
      <path
        className="mark-warp"
        d="M10 3v8.2M10 20.8V29M22 3v26"
        stroke="currentColor"
        strokeWidth="3.4"
        strokeLinecap="round"
        fill="none"
        opacity="0.9"
      />
      <path
        d="M2.5 16h14.8M26.7 16h2.8"
        stroke={`url(#${id})`}
        strokeWidth="4.4"
        strokeLinecap="round"
        fill="none"
      />
    </svg>
  )
}

/** The full logo: the mark and the name. It takes the text's colour, and so has a light and a dark form. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <span
      style={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 10,
        color: 'var(--text)',
        direction: 'ltr',
      }}
    >
      <Mark size={size} />
      <span
        style={{
          fontSize: size * 0.62,
          fontWeight: 700,
          letterSpacing: '0.12em',
          lineHeight: 1,
          color: 'var(--text)',
        }}
      >
        WEFT
      </span>
    </span>
  )
}
