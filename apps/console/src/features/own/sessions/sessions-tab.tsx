import { Button, Checkbox, Group } from '@mantine/core'
import { useState } from 'react'
import { access } from '@weft/contract/access/api'
import type { Session } from '@weft/contract/access/schema'
import { useChange } from '../../../kit/actions/use-change.ts'
import { confirm } from '../../../kit/confirm/confirm.ts'
import { Section } from '../../../kit/page/page.tsx'
import { StatusBadge } from '../../../kit/status/status-badge.tsx'
import { LinesSkeleton, Load } from '../../../kit/states/states.tsx'
import { toast } from '../../../kit/toast/toast.ts'
import { Ltr, Time } from '../../../kit/values/values.tsx'
import { useRead } from '../../../lib/query.ts'
import { useT } from '../text.ts'
import { deviceOf } from './device.ts'
import classes from '../own.module.css'

/** Where one is signed in: one session, several, or all others can be ended. */
export function SessionsTab() {
  const sessions = useRead(access.sessions, {}, { every: 30_000 })
  return (
    <Load of={sessions} part skeleton={<LinesSkeleton lines={6} />}>
      {({ data }) => <Sessions sessions={data} />}
    </Load>
  )
}

function Sessions({ sessions }: { sessions: readonly Session[] }) {
  const t = useT()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const end = useChange(access.endSession, {
    onDone: ({ ended }) => {
      setChosen([])
      toast.success(t('sessions.ended', { count: ended }))
    },
  })
  const others = sessions.filter(({ current }) => !current)
  // One that has ended by itself meanwhile is chosen no more.
  const ids = chosen.filter((id) => others.some((session) => session.id === id))
  const endOthers = async () => {
    const words = t('sessions.othersText', { count: others.length })
    if (await confirm({ text: words, confirmLabel: t('sessions.endOthers') }))
      end.mutate({ ids: [], others: true })
  }
  return (
    <div className={classes.column}>
      <Section
        flush
        title={t('sessions.title')}
        aside={
          others.length > 0 && (
            <Group gap={8}>
              {ids.length > 0 && (
                <Button
                  size="compact-sm"
                  color="red"
                  variant="light"
                  loading={end.isPending}
                  onClick={() => end.mutate({ ids: [...ids] })}
                >
                  {t('sessions.endChosen', { count: ids.length })}
                </Button>
              )}
              <Button
                size="compact-sm"
                variant="default"
                disabled={end.isPending}
                onClick={() => void endOthers()}
              >
                {t('sessions.endOthers')}
              </Button>
            </Group>
          )
        }
      >
        <ul className={classes.rows}>
          {sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              chosen={ids.includes(session.id)}
              onChoose={(on) => setChosen(on ? [...ids, session.id] : ids.filter((id) => id !== session.id))}
              onEnd={() => end.mutate({ ids: [session.id] })}
              busy={end.isPending}
            />
          ))}
        </ul>
      </Section>
    </div>
  )
}

function SessionRow(props: {
  session: Session
  chosen: boolean
  onChoose: (on: boolean) => void
  onEnd: () => void
  busy: boolean
}) {
  const t = useT()
  const { session } = props
  const { browser, system } = deviceOf(session.userAgent)
  const name =
    browser && system
      ? t('sessions.device', { browser, system })
      : (browser ?? system ?? (session.userAgent || t('sessions.unknown')))
  return (
    <li>
      <Checkbox
        checked={props.chosen}
        disabled={session.current}
        aria-label={t('sessions.choose', { name })}
        onChange={(event) => props.onChoose(event.currentTarget.checked)}
      />
      <span className={classes.main}>
        <strong title={session.userAgent}>
          <bdi>{name}</bdi>
        </strong>
        <span className={classes.dim}>
          <Ltr>{session.address}</Ltr> · {t('sessions.since')} <Time at={session.createdAt} /> ·{' '}
          {t('sessions.lastUsed')} <Time at={session.lastUsedAt} />
        </span>
      </span>
      {session.current ? (
        <StatusBadge value="current" tone="green" text={t('sessions.current')} />
      ) : (
        <Button
          size="compact-sm"
          variant="default"
          disabled={props.busy}
          aria-label={t('sessions.endOne', { name })}
          onClick={props.onEnd}
        >
          {t('sessions.end')}
        </Button>
      )}
    </li>
  )
}
