import { IconVideo } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { ProgressBar } from '../../../kit/progress/progress.tsx'
import { useFormats } from '../../../lib/formats.ts'
import { useT } from '../text.ts'
import { isUnderWay, queue, totalOf } from './queue.ts'
import classes from './uploads.module.css'

/** One line about uploads that go on while something else is looked at; nothing where there are none. */
export function UploadStrip() {
  const t = useT()
  const formats = useFormats()
  const items = useSyncExternalStore(queue.subscribe, queue.get)
  if (!items.some(isUnderWay)) return null
  const { left, sent, size } = totalOf(items)
  return (
    <Link to="/cms/resource/videos/new" className={classes.strip}>
      <IconVideo size={18} aria-hidden />
      <span>{t('upload.left', { count: left })}</span>
      <span className={classes.stripBar}>
        <ProgressBar value={sent} max={size} label={t('upload.queue')} bare />
      </span>
      <span className="numbers">{formats.percent(size > 0 ? sent / size : 0)}</span>
    </Link>
  )
}
