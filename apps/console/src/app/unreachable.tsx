import { useEffect } from 'react'
import { useAppText } from '../lib/i18n/texts.ts'
import { start } from './boot.ts'
import { Mark } from './brand/mark.tsx'
import classes from './error-page.module.css'

const AGAIN_MS = 5000

/** The server did not answer at the start: says so and tries again by itself. */
export function Unreachable() {
  const t = useAppText()
  useEffect(() => {
    const timer = setInterval(() => void start(), AGAIN_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <main className={classes.page}>
      <Mark size={32} />
      <h1 className={classes.title}>{t('offline.title')}</h1>
      <p className={classes.text}>{t('offline.text')}</p>
    </main>
  )
}
