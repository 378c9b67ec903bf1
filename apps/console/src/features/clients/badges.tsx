import { Tooltip } from '@mantine/core'
import type { Client } from '@weft/contract/clients/schema'
import { StatusBadge } from '../../kit/status/status-badge.tsx'
import { useFormats } from '../../lib/formats.ts'
import classes from './clients.module.css'
import { useT } from './text.ts'
import { ADMIN_TONES, CONNECTION_TONES } from './tones.ts'

/** Whether a client is heard from. */
export function ConnectionBadge({ client }: { client: Client }) {
  return (
    <StatusBadge value={client.connection} feature="clients" field="connection" tones={CONNECTION_TONES} />
  )
}

/** What a client is doing: idle, or how many of its slots are busy; and why it takes nothing, if it says so. */
export function WorkBadge({ client }: { client: Client }) {
  const t = useT()
  const { busy, slots } = client.work
  const live = client.connection === 'online' || client.connection === 'late'
  if (client.refusing && live)
    return (
      <Tooltip label={t('work.refusing', { reason: client.refusing })} multiline maw={320}>
        <span className={classes.hint}>
          <StatusBadge value="refusing" tone="amber" text={t('work.refusingShort')} />
        </span>
      </Tooltip>
    )
  if (busy === 0) return <StatusBadge value="idle" tone="neutral" text={t('work.idle')} />
  return <StatusBadge value="busy" tone="blue" text={t('work.busy', { busy, slots })} />
}

/** What a client is allowed to do; a pause says until when and why. */
export function AdminBadge({ client }: { client: Client }) {
  const t = useT()
  const formats = useFormats()
  const badge = <StatusBadge value={client.admin} feature="clients" field="admin" tones={ADMIN_TONES} />
  const lines = [
    client.pausedUntil && t('pausedUntil', { time: formats.dateTime(client.pausedUntil) }),
    client.adminNote,
  ].filter((line) => typeof line === 'string' && line !== '')
  if (client.admin !== 'paused' || lines.length === 0) return badge
  return (
    <Tooltip label={lines.join(' · ')} multiline maw={320}>
      <span className={classes.hint}>{badge}</span>
    </Tooltip>
  )
}
