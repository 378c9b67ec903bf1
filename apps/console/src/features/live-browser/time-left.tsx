import { useEffect, useState } from 'react'
import { useFormats } from '../../lib/formats.ts'
import { useT } from './text.ts'
import classes from './live-browser.module.css'

/** Told so early that the time is nearly over. */
const NEARLY_SECONDS = 120

/** How much time is left, counted down here between two answers of the server. */
export function TimeLeft({ seconds, at }: { seconds: number; at: number }) {
  const t = useT()
  const formats = useFormats()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const left = Math.max(0, Math.round(seconds - (now - at) / 1000))
  const nearly = left <= NEARLY_SECONDS
  const words = `${formats.number(Math.floor(left / 60))}:${String(left % 60).padStart(2, '0')}`
  return (
    <span className={classes.time} data-nearly={nearly} role="timer">
      {t('left', { time: words })}
      {nearly && (
        <span className={classes.hidden} role="alert">
          {t('nearlyOver')}
        </span>
      )}
    </span>
  )
}
