import type { Video } from '@weft/contract/videos/schema'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Dash, Ltr } from '../../kit/values/values.tsx'
import { VideoBadge } from './badge.tsx'
import { VideoPicture } from './picture.tsx'
import { VIDEO_TONES } from './tones.ts'

const col = columnsOf<Video>()

/** Width by height, which are read from left to right in every language. */
export function Dimensions({ of: { width, height } }: { of: Pick<Video, 'width' | 'height'> }) {
  if (width === null || height === null) return <Dash />
  return (
    <span className="numbers">
      <Ltr>
        {width} × {height}
      </Ltr>
    </span>
  )
}

/** The columns of the video list. */
export const videoColumns = [
  col.cell('poster', (row) => <VideoPicture of={row} />, { width: 96, phone: false }),
  col.name('title'),
  col.ltr('channelName'),
  { ...col.status('status', VIDEO_TONES), render: (row: Video) => <VideoBadge video={row} /> },
  col.duration('durationMs'),
  col.cell('dimensions', (row) => <Dimensions of={row} />, { phone: false }),
  col.bytes('size', { value: ({ file }) => file?.size ?? null }),
  col.date('createdAt'),
  col.date('updatedAt', { hidden: true }),
  col.text('description', { hidden: true }),
  col.ltr('codec', { hidden: true }),
  col.ltr('container', { hidden: true }),
  col.date('rightsUntil', { hidden: true }),
  col.text('licence', { hidden: true, sort: false }),
  col.tags('tags', { hidden: true }),
]
