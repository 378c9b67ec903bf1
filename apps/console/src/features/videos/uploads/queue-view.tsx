import { ActionIcon, Button } from '@mantine/core'
import {
  IconCircleCheck,
  IconCircleX,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconVideo,
  IconX,
} from '@tabler/icons-react'
import { useSyncExternalStore, type ReactNode } from 'react'
import { Link } from 'react-router'
import { Section } from '../../../kit/page/page.tsx'
import { ProgressBar } from '../../../kit/progress/progress.tsx'
import { useFormats } from '../../../lib/formats.ts'
import { errorText } from '../../../lib/i18n/names.ts'
import { firstText, useKitText } from '../../../lib/i18n/texts.ts'
import { videoPath } from '../actions.ts'
import { useT } from '../text.ts'
import { cancelUpload, clearFinished, pauseUpload, removeItem, resumeUpload } from './manager.ts'
import { queue, totalOf, type UploadFailure, type UploadItem } from './queue.ts'
import classes from './uploads.module.css'

/** The files of this window, each with how far it is. */
export function UploadQueue() {
  const t = useT()
  const items = useSyncExternalStore(queue.subscribe, queue.get)
  if (items.length === 0) return null
  const over = items.some(({ state }) => state === 'done' || state === 'failed')
  return (
    <Section
      title={t('upload.queue')}
      flush
      aside={
        over && (
          <Button size="compact-sm" variant="subtle" onClick={clearFinished}>
            {t('upload.clear')}
          </Button>
        )
      }
    >
      <Total items={items} />
      <ul className={classes.items}>
        {items.map((item) => (
          <Item key={item.key} item={item} />
        ))}
      </ul>
    </Section>
  )
}

function Total({ items }: { items: readonly UploadItem[] }) {
  const t = useT()
  const formats = useFormats()
  const { left, sent, size, bytesPerSecond } = totalOf(items)
  if (items.length < 2 || left === 0) return null
  return (
    <div className={classes.total}>
      <span>{t('upload.left', { count: left })}</span>
      <span className="numbers">
        {t('upload.of', { sent: formats.bytes(sent), size: formats.bytes(size) })}
        {bytesPerSecond > 0 && ` · ${t('upload.rate', { rate: formats.bytes(bytesPerSecond) })}`}
      </span>
    </div>
  )
}

function Item({ item }: { item: UploadItem }) {
  const t = useT()
  const { name, size, sent, state, videoId } = item
  const title = <bdi>{name}</bdi>
  return (
    <li className={classes.item} data-state={state}>
      <StateIcon state={state} />
      <div className={classes.itemBody}>
        <div className={classes.itemName} title={name}>
          {videoId !== null && state === 'done' ? <Link to={videoPath(videoId)}>{title}</Link> : title}
        </div>
        {state !== 'done' && state !== 'failed' && (
          <ProgressBar value={sent} max={size} label={t('upload.progressOf', { name })} bare />
        )}
        <div className={classes.itemNote}>
          <Note item={item} />
        </div>
      </div>
      <div className={classes.itemActions}>
        <Actions item={item} />
      </div>
    </li>
  )
}

function StateIcon({ state }: { state: UploadItem['state'] }) {
  if (state === 'done') return <IconCircleCheck size={20} className={classes.good} aria-hidden />
  if (state === 'failed') return <IconCircleX size={20} className={classes.bad} aria-hidden />
  return <IconVideo size={20} className={classes.dim} aria-hidden />
}

function Note({ item }: { item: UploadItem }): ReactNode {
  const t = useT()
  const formats = useFormats()
  const { state, sent, size, bytesPerSecond, failure, sameAs } = item
  const far = t('upload.of', { sent: formats.bytes(sent), size: formats.bytes(size) })
  switch (state) {
    case 'failed':
      return <span role="alert">{failure ? failureText(failure) : errorText('system.failed')}</span>
    case 'done':
      return sameAs ? (
        <>
          {t('upload.sameAs')}{' '}
          <Link to={videoPath(sameAs.id)}>
            <bdi>{sameAs.title}</bdi>
          </Link>
        </>
      ) : (
        formats.bytes(size)
      )
    case 'checking':
      return t('upload.checking')
    case 'waiting':
      return t('upload.waiting')
    case 'stalled':
      return t('upload.stalled')
    case 'paused':
      return `${t('upload.paused')} · ${far}`
    default: {
      const left = bytesPerSecond ? ((size - sent) / bytesPerSecond) * 1000 : null
      const parts = [
        far,
        ...(bytesPerSecond ? [t('upload.rate', { rate: formats.bytes(bytesPerSecond) })] : []),
        ...(left !== null && left > 1000 ? [t('upload.timeLeft', { time: formats.duration(left) })] : []),
      ]
      return <span className="numbers">{parts.join(' · ')}</span>
    }
  }
}

/** What went wrong, in words: the queue's own reasons, what the server found in the file, or its refusal. */
function failureText({ code, params, message }: UploadFailure): string {
  const own = firstText([`videos:upload.failures.${code}`, `videos:options.${code}`])
  return own ?? errorText(code, params, message)
}

function Actions({ item: { key, name, state, failure } }: { item: UploadItem }) {
  const t = useT()
  const kit = useKitText()
  const button = (label: string, icon: ReactNode, act: () => void) => (
    <ActionIcon key={label} variant="subtle" aria-label={`${label}: ${name}`} title={label} onClick={act}>
      {icon}
    </ActionIcon>
  )
  if (state === 'done') return button(t('upload.remove'), <IconX size={16} />, () => removeItem(key))
  if (state === 'checking') return null
  if (state === 'failed')
    return [
      ...(isWorthTrying(failure)
        ? [button(kit('actions.retry'), <IconRefresh size={16} />, () => void resumeUpload(key))]
        : []),
      button(t('upload.remove'), <IconX size={16} />, () => removeItem(key)),
    ]
  return [
    state === 'paused'
      ? button(kit('actions.resume'), <IconPlayerPlay size={16} />, () => void resumeUpload(key))
      : button(kit('actions.pause'), <IconPlayerPause size={16} />, () => void pauseUpload(key)),
    button(kit('actions.cancel'), <IconX size={16} />, () => void cancelUpload(key)),
  ]
}

/** Reasons that do not go away by trying again. */
const FINAL = new Set(['type', 'empty', 'gone', 'video.too_large', 'access.denied'])

function isWorthTrying(failure: UploadFailure | null): boolean {
  return failure !== null && !FINAL.has(failure.code) && !failure.code.startsWith('failure.')
}
