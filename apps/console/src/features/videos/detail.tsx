import { IconVideoOff } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { videos } from '@weft/contract/videos/api'
import type { Video } from '@weft/contract/videos/schema'
import { DateTimeField } from '../../kit/fields/date-time.tsx'
import { TagsField } from '../../kit/fields/tags.tsx'
import { TextField, TextareaField } from '../../kit/fields/text.tsx'
import { FieldRow, FormBody } from '../../kit/form/form.tsx'
import { useResourceForm } from '../../kit/form/use-resource-form.ts'
import { Facts, Section } from '../../kit/page/page.tsx'
import { LinesSkeleton } from '../../kit/states/states.tsx'
import { Bytes, CopyIcon, Dash, Duration, Ltr, Time } from '../../kit/values/values.tsx'
import { useFormats } from '../../lib/formats.ts'
import { fieldLabel } from '../../lib/i18n/names.ts'
import { firstText } from '../../lib/i18n/texts.ts'
import { useRead } from '../../lib/query.ts'
import { videoPath } from './actions.ts'
import { Dimensions } from './columns.tsx'
import { useT } from './text.ts'
import { ChooseFiles } from './uploads/drop.tsx'
import { addFiles } from './uploads/manager.ts'
import { UploadQueue } from './uploads/queue-view.tsx'
import classes from './videos.module.css'

const VideoPlayer = lazy(() => import('./player.tsx').then((module) => ({ default: module.VideoPlayer })))

const label = (name: string) => fieldLabel('videos', name)

/** The film beside what is known of it. */
export function VideoOverview({ video }: { video: Video }) {
  return (
    <>
      <div className={classes.top}>
        {video.file ? (
          <Suspense fallback={<LinesSkeleton lines={6} />}>
            <VideoPlayer key={video.file.id} video={video} />
          </Suspense>
        ) : (
          <WithoutFile video={video} />
        )}
        <div className={classes.beside}>
          <VideoFacts video={video} />
          <SameBytes video={video} />
        </div>
      </div>
      {!video.file && <UploadQueue />}
    </>
  )
}

/** A video whose bytes are not there: why, and how they come. */
function WithoutFile({ video }: { video: Video }) {
  const t = useT()
  const formats = useFormats()
  const { id, status, failure, upload, can } = video
  const share = status === 'uploading' && upload ? formats.percent(upload.received / upload.size) : null
  const waits = share === null ? t('upload.waitsForFile') : t('upload.arrived', { share })
  const reason = failure === null ? undefined : firstText([`videos:options.failure.${failure}`])
  const takes = can.includes('update') && (status === 'uploading' || status === 'failed')
  return (
    <div className={classes.without}>
      <IconVideoOff size={28} stroke={1.6} aria-hidden />
      <span>{status === 'processing' ? t('upload.checking') : (reason ?? waits)}</span>
      {takes && (
        <ChooseFiles
          multiple={false}
          label={t('upload.chooseOne')}
          onFiles={(files) => void addFiles(files.slice(0, 1), id)}
        />
      )}
    </div>
  )
}

function VideoFacts({ video }: { video: Video }) {
  const { file } = video
  return (
    <Section>
      <Facts
        rows={[
          [
            label('channelName'),
            video.channelName ? <Ltr key="channel">{video.channelName}</Ltr> : <Dash key="channel" />,
          ],
          [label('durationMs'), <Duration key="duration" ms={video.durationMs} />],
          [label('dimensions'), <Dimensions key="dimensions" of={video} />],
          [label('codec'), video.codec ? <Ltr key="codec">{video.codec}</Ltr> : <Dash key="codec" />],
          [
            label('container'),
            video.container ? <Ltr key="container">{video.container}</Ltr> : <Dash key="container" />,
          ],
          [label('size'), <Bytes key="size" n={file?.size} />],
          [label('fileName'), file ? <bdi key="name">{file.name}</bdi> : <Dash key="name" />],
          [
            label('sha256'),
            file ? (
              <span key="hash">
                <Ltr>{file.sha256.slice(0, 12)}…</Ltr> <CopyIcon value={file.sha256} />
              </span>
            ) : (
              <Dash key="hash" />
            ),
          ],
          [label('rightsUntil'), <Time key="rights" at={video.rightsUntil} />],
          [label('createdAt'), <Time key="created" at={video.createdAt} />],
          [label('updatedAt'), <Time key="updated" at={video.updatedAt} />],
        ]}
      />
    </Section>
  )
}

function SameBytes({ video: { id, file } }: { video: Video }) {
  const t = useT()
  const same = useRead(videos.duplicates, { id }, { enabled: file !== null })
  if (!same.data || same.data.length === 0) return null
  return (
    <Section title={t('same.title')}>
      <ul className={classes.same}>
        {same.data.map((other) => (
          <li key={other.id}>
            <Link to={videoPath(other.id)}>
              <bdi>{other.title}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Changes what people say of a video. */
export function VideoSettings({ id }: { id: string }) {
  const t = useT()
  const form = useResourceForm({ get: videos.get, update: videos.update }, { id, onDone: () => {} })
  return (
    <Section title={t('sections.settings')}>
      <div className={classes.narrow}>
        <FormBody form={form} cancel={false}>
          <TextField name="title" />
          <TextareaField name="description" />
          <FieldRow>
            <TextField name="channelName" ltr />
            <TagsField name="tags" from={videos.tags} />
          </FieldRow>
          <TextareaField name="rights" />
          <FieldRow>
            <TextField name="rightsSource" />
            <TextField name="licence" />
          </FieldRow>
          <DateTimeField name="rightsUntil" />
          <TextareaField name="notes" />
        </FormBody>
      </div>
    </Section>
  )
}
