import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { toast } from '../../kit/toast/toast.ts'
import { stopViewing } from '../../features/viewing/viewing.ts'
import { useFormats } from '../../lib/formats.ts'
import { isolate } from '../../lib/i18n/isolate.ts'
import { useAppText } from '../../lib/i18n/texts.ts'
import { signedIn } from '../../lib/session/session.ts'
import classes from './frame.module.css'

/** Says as whom one looks on, why and until when, and ends it. */
export default function ViewingBanner() {
  const t = useAppText()
  const formats = useFormats()
  const info = useSyncExternalStore(signedIn.subscribe, signedIn.get)
  const [busy, setBusy] = useState(false)
  const until = info?.viewing?.until
  useEffect(() => {
    if (until === undefined) return undefined
    // Over by itself on the server; this page becomes one's own again.
    const timer = setTimeout(() => void stop(), Math.max(0, Date.parse(until) - Date.now()) + 500)
    return () => clearTimeout(timer)
  }, [until])
  if (!info?.viewing) return null
  const { displayName, username } = info.user
  const { reason } = info.viewing
  const end = async () => {
    setBusy(true)
    if (!(await stop())) setBusy(false)
  }
  return (
    <output className={classes.viewing}>
      <IconEye size={16} className={classes.eye} aria-hidden />
      <span>
        {t('viewing.banner', { name: isolate(displayName || username), reason: isolate(reason) })}{' '}
        <span className={classes.until}>
          {t('viewing.until', { time: formats.time(info.viewing.until) })}
        </span>
      </span>
      <Button size="compact-sm" variant="default" loading={busy} onClick={() => void end()}>
        {t('viewing.stop')}
      </Button>
    </output>
  )
}

async function stop(): Promise<boolean> {
  try {
    await stopViewing()
    return true
  } catch (error) {
    toast.failure(error)
    return false
  }
}
