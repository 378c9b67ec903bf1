import { useSyncExternalStore } from 'react'
import { Logo } from '../app/brand/mark.tsx'
import { config } from '../lib/config.ts'
import { useAppText } from '../lib/i18n/texts.ts'
import classes from '../app/error-page.module.css'

/** A public page: what this is. */
export default function About() {
  const t = useAppText()
  const { version } = useSyncExternalStore(config.subscribe, config.get)
  return (
    <main className={classes.page}>
      <Logo size={40} />
      <h1 className="unseen">{t('about.title')}</h1>
      <p className={classes.text}>{t('about.text')}</p>
      <p className={classes.detail}>{t('about.version', { version })}</p>
    </main>
  )
}
