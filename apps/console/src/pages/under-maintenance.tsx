import { useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { workbench } from '../app/boot.ts'
import { Mark } from '../app/brand/mark.tsx'
import classes from '../app/error-page.module.css'
import { config } from '../lib/config.ts'
import { useFormats } from '../lib/formats.ts'
import { useAppText } from '../lib/i18n/texts.ts'
import { signedIn } from '../lib/session/session.ts'

/** What everybody sees while the system is closed. */
export default function UnderMaintenance() {
  const t = useAppText()
  const formats = useFormats()
  const { note, until } = useSyncExternalStore(config.subscribe, config.get).maintenance
  const user = useSyncExternalStore(signedIn.subscribe, signedIn.get)
  const mayEnd = useSyncExternalStore(workbench.subscribe, workbench.get)?.can('MANAGE', 'SYSTEM') === true
  return (
    <main className={classes.page}>
      <Mark size={32} />
      <h1 className={classes.title}>{t('maintenance.title')}</h1>
      <p className={classes.text}>{t('maintenance.text')}</p>
      {note && (
        <p className={classes.text}>
          <bdi>{note}</bdi>
        </p>
      )}
      {until && <p className={classes.text}>{t('maintenance.expected', { time: formats.exact(until) })}</p>}
      {(!user || mayEnd) && (
        <p className={classes.text}>
          {user ? (
            <Link to="/system?tab=maintenance">{t('page.configSystem')}</Link>
          ) : (
            <Link to="/login?nextUrl=%2Fsystem">{t('maintenance.administrators')}</Link>
          )}
        </p>
      )}
    </main>
  )
}
