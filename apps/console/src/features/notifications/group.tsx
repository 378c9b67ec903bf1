import { ActionIcon, Tooltip, UnstyledButton } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCheck,
  IconCircleCheck,
  IconCircleX,
  IconInfoCircle,
} from '@tabler/icons-react'
import {
  NOTIFICATION_KINDS,
  type Notification,
  type NotificationTone,
} from '@weft/contract/notifications/schema'
import { useState, type ComponentType } from 'react'
import { Link } from 'react-router'
import { Time } from '../../kit/values/values.tsx'
import { useFormats } from '../../lib/formats.ts'
import { useT } from './text.ts'
import { placeOf, wordsOf } from './words.ts'
import classes from './notifications.module.css'

/** So many neighbours of a kind are shown; the others when they are asked for. */
const SHOWN = 2

const LOOKS: Record<
  NotificationTone,
  { icon: ComponentType<{ size: number; stroke: number }>; tone: string }
> = {
  info: { icon: IconInfoCircle, tone: 'var(--tone-blue-text)' },
  success: { icon: IconCircleCheck, tone: 'var(--tone-green-text)' },
  warning: { icon: IconAlertTriangle, tone: 'var(--tone-amber-text)' },
  error: { icon: IconCircleX, tone: 'var(--tone-red-text)' },
}

/** Notifications of one kind that came one after the other. */
export function NotificationGroup(props: {
  entries: readonly Notification[]
  onRead: ((entry: Notification) => void) | undefined
  onGo: (entry: Notification) => void
}) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const { entries } = props
  const shown = open || entries.length <= SHOWN + 1 ? entries : entries.slice(0, SHOWN)
  const more = entries.length - SHOWN
  return (
    <>
      {shown.map((entry) => (
        <Entry key={entry.id} entry={entry} onRead={props.onRead} onGo={props.onGo} />
      ))}
      {entries.length > SHOWN + 1 && (
        <li>
          <UnstyledButton className={classes.others} aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? t('fewer') : t('others', { count: more })}
          </UnstyledButton>
        </li>
      )}
    </>
  )
}

function Entry(props: {
  entry: Notification
  onRead: ((entry: Notification) => void) | undefined
  onGo: (entry: Notification) => void
}) {
  const { entry } = props
  const t = useT()
  const formats = useFormats()
  const { title, detail } = wordsOf(entry)
  const place = placeOf(entry)
  const { icon: Icon, tone } = LOOKS[NOTIFICATION_KINDS[entry.kind].tone]
  const isNew = entry.readAt === null
  return (
    <li className={classes.entry} data-new={isNew || undefined}>
      <span className={classes.icon} style={{ color: tone }} aria-hidden>
        <Icon size={18} stroke={1.8} />
      </span>
      <div className={classes.words}>
        <div className={classes.title}>
          {place ? (
            <Link to={place} className={classes.link} onClick={() => props.onGo(entry)}>
              {title}
            </Link>
          ) : (
            title
          )}
          {entry.count > 1 && (
            <span className={classes.times} aria-label={t('times', { count: entry.count })}>
              ×{formats.number(entry.count)}
            </span>
          )}
        </div>
        <div className={classes.detail}>{detail}</div>
        <div className={classes.at}>
          <Time at={entry.at} />
        </div>
      </div>
      {isNew && props.onRead && (
        <Tooltip label={t('read')}>
          <ActionIcon
            className={classes.read}
            size={28}
            aria-label={`${t('read')}: ${title}`}
            onClick={() => props.onRead?.(entry)}
          >
            <IconCheck size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  )
}
