import type { Video } from '@weft/contract/videos/schema'
import { StatusBadge } from '../../kit/status/status-badge.tsx'
import { useFormats } from '../../lib/formats.ts'
import { useT } from './text.ts'
import { VIDEO_TONES } from './tones.ts'

/** How a video stands; of one whose bytes are on their way, how much of them has arrived. */
export function VideoBadge({ video: { status, upload } }: { video: Pick<Video, 'status' | 'upload'> }) {
  const t = useT()
  const formats = useFormats()
  const share = status === 'uploading' && upload ? formats.percent(upload.received / upload.size) : null
  return (
    <StatusBadge
      value={status}
      feature="videos"
      field="status"
      tones={VIDEO_TONES}
      {...(share === null ? {} : { text: t('upload.arrived', { share }) })}
    />
  )
}
