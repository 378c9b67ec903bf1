import { Mark } from '../app/brand/mark.tsx'
import { useAppText } from '../lib/i18n/texts.ts'
import classes from '../app/error-page.module.css'

/** What everybody sees while the system is closed. */
export default function UnderMaintenance() {
  const t = useAppText()
  return (
    <main className={classes.page}>
      <Mark size={32} />
      <h1 className={classes.title}>{t('maintenance.title')}</h1>
      <p className={classes.text}>{t('maintenance.text')}</p>
    </main>
  )
}
