import { Button } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useRef, type ReactNode } from 'react'
import { useT } from '../text.ts'
import { useDroppedFiles } from './use-dropped-files.ts'
import classes from './uploads.module.css'

const ACCEPT = 'video/mp4,video/quicktime,video/webm,video/x-matroska,.mp4,.m4v,.mov,.webm,.mkv'

/** A button that lets files be chosen. */
export function ChooseFiles(props: {
  onFiles: (files: File[]) => void
  label: string
  multiple?: boolean
  variant?: 'filled' | 'default'
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        variant={props.variant ?? 'filled'}
        leftSection={<IconUpload size={16} aria-hidden />}
        onClick={() => input.current?.click()}
      >
        {props.label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={props.label}
        accept={ACCEPT}
        multiple={props.multiple ?? true}
        onChange={(event) => {
          const chosen = [...(event.currentTarget.files ?? [])]
          // The same file may be chosen again after it failed.
          event.currentTarget.value = ''
          if (chosen.length > 0) props.onFiles(chosen)
        }}
      />
    </>
  )
}

/** Where videos are dropped or chosen. */
export function DropZone({ onFiles, note }: { onFiles: (files: File[]) => void; note?: ReactNode }) {
  const t = useT()
  const over = useDroppedFiles(onFiles)
  return (
    <div className={classes.zone} data-over={over || undefined}>
      <span className={classes.zoneIcon}>
        <IconUpload size={24} stroke={1.6} aria-hidden />
      </span>
      <strong>{over ? t('upload.dropNow') : t('upload.drop')}</strong>
      <span className={classes.zoneNote}>{t('upload.types')}</span>
      <ChooseFiles onFiles={onFiles} label={t('upload.choose')} />
      {note && <span className={classes.zoneNote}>{note}</span>}
    </div>
  )
}
