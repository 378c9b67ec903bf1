import { ActionIcon, Loader, Modal } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { IconChevronLeft, IconChevronRight, IconPhotoOff } from '@tabler/icons-react'
import { useState } from 'react'
import type { RunFile } from '@weft/contract/runs/schema'
import { Failure } from '../../../kit/states/states.tsx'
import { Time } from '../../../kit/values/values.tsx'
import { text } from '../../../lib/i18n/texts.ts'
import { useT } from '../text.ts'
import { BlobImage } from './blob-image.tsx'
import classes from './files.module.css'
import { useRunFile } from './use-run-file.ts'

/** Pictures of pages as thumbnails; each opens large. */
export function Screenshots({ files }: { files: readonly RunFile[] }) {
  const [open, setOpen] = useState<number | null>(null)
  if (files.length === 0) return null
  return (
    <>
      <div className={classes.thumbs}>
        {files.map((file, at) => (
          <Thumb key={file.id} file={file} onOpen={() => setOpen(at)} />
        ))}
      </div>
      <Large files={files} at={open} onTurn={setOpen} />
    </>
  )
}

function Thumb({ file, onOpen }: { file: RunFile; onOpen: () => void }) {
  const t = useT()
  const { ref, inViewport } = useInViewport<HTMLButtonElement>()
  const [seen, setSeen] = useState(false)
  if (inViewport && !seen) setSeen(true)
  const { data, error } = useRunFile(file.id, seen)
  return (
    <button
      ref={ref}
      type="button"
      className={classes.thumb}
      onClick={onOpen}
      aria-label={t('files.enlarge', { name: file.name })}
    >
      <span className={classes.picture}>
        {data ? (
          <BlobImage blob={data} alt="" />
        ) : error ? (
          <IconPhotoOff size={20} aria-hidden />
        ) : (
          <Loader size={18} />
        )}
      </span>
      <span className={classes.caption}>
        <bdi>{file.name}</bdi>
      </span>
    </button>
  )
}

function Large(props: { files: readonly RunFile[]; at: number | null; onTurn: (at: number | null) => void }) {
  const { files, at, onTurn } = props
  const t = useT()
  const file = at === null ? undefined : files[at]
  const turn = (by: number) => {
    if (at !== null && files[at + by]) onTurn(at + by)
  }
  return (
    <Modal
      opened={file !== undefined}
      onClose={() => onTurn(null)}
      title={file && <bdi>{file.name}</bdi>}
      size="min(1200px, 96vw)"
      closeButtonProps={{ 'aria-label': text('kit:common.close') }}
      onKeyDown={(event) => {
        // The arrows follow the reading direction of the page.
        const forward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
        if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') turn(event.key === forward ? 1 : -1)
      }}
    >
      {file && at !== null && (
        <div className={classes.large}>
          <LargePicture key={file.id} file={file} />
          <div className={classes.turn}>
            <ActionIcon aria-label={t('files.previous')} disabled={at === 0} onClick={() => turn(-1)}>
              <IconChevronLeft size={18} className="flip-rtl" />
            </ActionIcon>
            <span>{t('files.position', { at: at + 1, total: files.length })}</span>
            <ActionIcon
              aria-label={t('files.next')}
              disabled={at === files.length - 1}
              onClick={() => turn(1)}
            >
              <IconChevronRight size={18} className="flip-rtl" />
            </ActionIcon>
            <Time at={file.at} exact />
          </div>
        </div>
      )}
    </Modal>
  )
}

function LargePicture({ file }: { file: RunFile }) {
  const { data, error, refetch } = useRunFile(file.id, true)
  if (data) return <BlobImage blob={data} alt={file.name} />
  return error ? <Failure error={error} retry={() => void refetch()} /> : <Loader />
}
