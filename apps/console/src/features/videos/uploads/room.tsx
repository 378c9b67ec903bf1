import type { Uploads } from '@weft/contract/videos/schema'
import { ProgressBar } from '../../../kit/progress/progress.tsx'
import { useFormats } from '../../../lib/formats.ts'
import { useT } from '../text.ts'
import classes from './uploads.module.css'

/** How much of one's room is taken, and how large a file may be. */
export function Room({ of: { usedBytes, limitBytes, maxBytes } }: { of: Uploads }) {
  const t = useT()
  const formats = useFormats()
  const tight = usedBytes > limitBytes * 0.9
  const used = t('upload.room', { used: formats.bytes(usedBytes), limit: formats.bytes(limitBytes) })
  return (
    <div className={classes.room}>
      <ProgressBar
        value={Math.min(usedBytes, limitBytes)}
        max={limitBytes}
        label={used}
        segments={[{ value: usedBytes, tone: tight ? 'amber' : 'green', label: used }]}
        bare
      />
      <span>
        {used} · {t('upload.largest', { size: formats.bytes(maxBytes) })}
      </span>
    </div>
  )
}
