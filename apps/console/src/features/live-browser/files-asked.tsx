import { Button, FileButton, Group } from '@mantine/core'
import { useId, useRef, useState } from 'react'
import { GIVEN_FILES_MOST, type FrameMeta } from '@weft/contract/attended-runs/schema'
import { FILE_MAX_BYTES, files } from '@weft/contract/files/api'
import { videos } from '@weft/contract/videos/api'
import type { Video } from '@weft/contract/videos/schema'
import { RecordPicker } from '../../kit/fields/record-picker.tsx'
import { toast } from '../../kit/toast/toast.ts'
import { call } from '../../lib/api.ts'
import { useCan } from '../../lib/can.ts'
import { useFormats } from '../../lib/formats.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import classes from './live-browser.module.css'
import { useT } from './text.ts'
import { useFocusBack } from './use-focus-back.ts'

const VIDEOS = { from: videos.list, get: videos.get, label: (video: Video) => video.title }

/**
 * The page asks for files. Its own window for that is in no picture, and would show the client's disk: the person gives one
 * of their videos, or a file of this computer.
 */
export function FilesAsked(props: {
  asked: NonNullable<FrameMeta['files']>
  /** Tells the client what is given; nothing declines. */
  give: (fileIds: string[]) => Promise<unknown>
  /** Gives the focus back to the page. */
  back: () => void
}) {
  const t = useT()
  const kit = useKitText()
  const formats = useFormats()
  const may = useCan()
  const { asked, give } = props
  const [busy, setBusy] = useState(false)
  const [video, setVideo] = useState<{ id: string; fileId: string | null } | null>(null)
  const id = useId()
  const section = useRef<HTMLElement>(null)
  useFocusBack(section, props.back)
  const during = async (work: () => Promise<unknown>) => {
    setBusy(true)
    await work().catch(toast.failure)
    setBusy(false)
  }
  const upload = (chosen: readonly File[]) => {
    if (chosen.length === 0) return
    if (chosen.length > GIVEN_FILES_MOST)
      return toast.error(t('files.tooMany', { most: formats.number(GIVEN_FILES_MOST) }))
    if (chosen.some(({ size }) => size > FILE_MAX_BYTES))
      return toast.error(t('files.tooLarge', { size: formats.bytes(FILE_MAX_BYTES) }))
    void during(async () => {
      const ids: string[] = []
      for (const body of chosen) {
        const given = { name: body.name.slice(-255), purpose: 'page' as const }
        ids.push((await call(files.upload, given, { body, timeoutMs: 0 })).id)
      }
      await give(ids)
    })
  }
  const waiting = busy || asked.state === 'taking'
  return (
    <section ref={section} className={classes.question} aria-labelledby={id}>
      <p id={id} role="alert">
        <strong>{t(asked.multiple ? 'files.titleMany' : 'files.title')}</strong>{' '}
        {asked.state === 'taking' ? t('files.taking') : t('files.text')}{' '}
        {asked.accept !== '' && t('files.accept', { kinds: asked.accept })}
      </p>
      {asked.state === 'failed' && (
        <p className={classes.failed} role="alert">
          {t('files.failed')}
        </p>
      )}
      {may('VIEW', 'VIDEO') && (
        <div className={classes.write}>
          <div className={classes.writeInput}>
            <RecordPicker
              source={VIDEOS}
              label={t('files.video')}
              placeholder={t('files.video')}
              value={video?.id ?? null}
              onChange={(chosen, row) =>
                setVideo(chosen === null ? null : { id: chosen, fileId: row?.file?.id ?? null })
              }
              disabled={waiting}
              clearable
            />
          </div>
          <Button
            variant="default"
            disabled={waiting || !video?.fileId}
            onClick={() => void during(async () => video?.fileId && give([video.fileId]))}
          >
            {t('files.use')}
          </Button>
        </div>
      )}
      <Group gap={8} justify="flex-end" mt={12}>
        <Button variant="default" disabled={busy} onClick={() => void during(() => give([]))}>
          {kit('common.cancel')}
        </Button>
        {may('CREATE', 'CAMPAIGN') && (
          <FileButton
            multiple={asked.multiple}
            accept={asked.accept}
            disabled={waiting}
            onChange={(chosen) => upload(Array.isArray(chosen) ? chosen : chosen ? [chosen] : [])}
          >
            {(button) => (
              <Button {...button} loading={waiting} data-autofocus>
                {t('files.computer')}
              </Button>
            )}
          </FileButton>
        )}
      </Group>
    </section>
  )
}
