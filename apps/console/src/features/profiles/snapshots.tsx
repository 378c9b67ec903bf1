import { Button } from '@mantine/core'
import { IconHistory, IconPin, IconPinnedOff } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { profiles } from '@weft/contract/profiles/api'
import type { Snapshot } from '@weft/contract/profiles/snapshots'
import { confirm } from '../../kit/confirm/confirm.ts'
import { Empty, Load } from '../../kit/states/states.tsx'
import { StatusBadge } from '../../kit/status/status-badge.tsx'
import { toast } from '../../kit/toast/toast.ts'
import { Bytes, Time } from '../../kit/values/values.tsx'
import { call } from '../../lib/api.ts'
import { invalidateFeatures, useRead } from '../../lib/query.ts'
import { runPath } from '../runs/paths.ts'
import classes from './snapshots.module.css'
import { useT } from './text.ts'

/** What is kept of a profile's sessions, by account; `mayChange` offers to go back and to pin. */
export default function ProfileSnapshots({ id, mayChange }: { id: string; mayChange: boolean }) {
  const t = useT()
  const read = useRead(profiles.snapshots, { id })
  return (
    <Load of={read} part>
      {(snapshots) =>
        snapshots.length === 0 ? (
          <Empty title={t('snapshots.none')} text={t('snapshots.noneText')} />
        ) : (
          <>
            {[...Map.groupBy(snapshots, ({ accountId }) => accountId)].map(([accountId, of]) => (
              <section key={accountId ?? ''} className={classes.account}>
                <h3 className={classes.name}>
                  {accountId === null ? (
                    t('snapshots.noAccount')
                  ) : (
                    <bdi>{of[0]?.accountName ?? t('snapshots.unseen')}</bdi>
                  )}
                </h3>
                <ul className={classes.list}>
                  {of.map((snapshot) => (
                    <li key={snapshot.id} className={classes.entry}>
                      <Entry profileId={id} snapshot={snapshot} mayChange={mayChange} />
                    </li>
                  ))}
                </ul>
              </section>
            ))}
          </>
        )
      }
    </Load>
  )
}

function Entry(props: { profileId: string; snapshot: Snapshot; mayChange: boolean }) {
  const t = useT()
  const { profileId, snapshot, mayChange } = props
  const { current, pinned } = snapshot
  const [busy, setBusy] = useState(false)
  const change = async (make: () => Promise<unknown>, words: string) => {
    setBusy(true)
    try {
      await make()
      toast.success(words)
    } catch (error) {
      toast.failure(error)
    } finally {
      setBusy(false)
      void invalidateFeatures(['profiles'])
    }
  }
  const goBack = async () => {
    const yes = await confirm({ title: t('snapshots.useTitle'), text: t('snapshots.useText') })
    if (!yes) return
    const make = () => call(profiles.useSnapshot, { id: profileId, snapshot: snapshot.id })
    await change(make, t('snapshots.used'))
  }
  const pin = () => {
    const make = () => call(profiles.pinSnapshot, { id: profileId, snapshot: snapshot.id, pinned: !pinned })
    return change(make, t(pinned ? 'snapshots.letGo' : 'snapshots.nowPinned'))
  }
  return (
    <>
      <div className={classes.head}>
        <StatusBadge
          value={current ? 'current' : 'before'}
          tone={current ? 'green' : 'neutral'}
          text={t(current ? 'snapshots.current' : 'snapshots.before')}
        />
        {pinned && (
          <span className={classes.pinned}>
            <IconPin size={14} aria-hidden />
            {t('snapshots.pinned')}
          </span>
        )}
        <span>
          {t('snapshots.savedAt')} <Time at={snapshot.savedAt} />
        </span>
        <Bytes n={snapshot.size} />
      </div>
      <p className={classes.more}>
        {snapshot.runId !== null && <Link to={runPath(snapshot.runId)}>{t('snapshots.run')}</Link>}
        {snapshot.expiresAt !== null && (
          <span>
            {t('snapshots.expires')} <Time at={snapshot.expiresAt} />
          </span>
        )}
      </p>
      {mayChange && (
        <div className={classes.tools}>
          {!current && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconHistory size={16} aria-hidden />}
              loading={busy}
              onClick={() => void goBack()}
            >
              {t('snapshots.use')}
            </Button>
          )}
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={pinned ? <IconPinnedOff size={16} aria-hidden /> : <IconPin size={16} aria-hidden />}
            disabled={busy}
            onClick={() => void pin()}
          >
            {t(pinned ? 'snapshots.unpin' : 'snapshots.pin')}
          </Button>
        </div>
      )}
    </>
  )
}
