import { useEffect, useState, useSyncExternalStore } from 'react'
import { READ_ONLY, config } from '../../lib/config.ts'
import { useFormats } from '../../lib/formats.ts'
import { useAppText } from '../../lib/i18n/texts.ts'
import classes from './frame.module.css'

/** A maintenance is shown this long before it begins. */
const AHEAD_MS = 24 * 3_600_000

/** Says that the system is read-only, or counts down to what is planned. */
export function MaintenanceBanner() {
  const t = useAppText()
  const { systemStatus, maintenance } = useSyncExternalStore(config.subscribe, config.get)
  const { planned, note, until } = maintenance
  const formats = useFormats()
  return (
    <>
      {systemStatus === READ_ONLY && (
        <output className={classes.banner}>
          {t('maintenance.readOnly')}
          {note && ' '}
          {note && <bdi>{note}</bdi>}
          {until && ` ${t('maintenance.until', { time: formats.exact(until) })}`}
        </output>
      )}
      {planned && <Countdown key={planned.at} {...planned} note={note} />}
    </>
  )
}

function Countdown({ at, status, note }: { at: string; status: number; note: string }) {
  const t = useAppText()
  const formats = useFormats()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const left = Date.parse(at) - now
  if (left > AHEAD_MS) return null
  const kind = status === READ_ONLY ? 'readOnlyIn' : 'closedIn'
  return (
    <div className={classes.banner}>
      {/* Said once; the seconds that go by are for the eye. */}
      <output className="unseen">{t(`maintenance.${kind}`, { left: formats.dateTime(at) })}</output>
      <span aria-hidden>
        {t(`maintenance.${kind}`, { left: formats.duration(Math.max(0, Math.ceil(left / 1000)) * 1000) })}
      </span>
      {note && ' '}
      {note && <bdi>{note}</bdi>}
    </div>
  )
}
