import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { activities } from '@weft/contract/activities/api'
import type { ActivityRow, ActivityUser } from '@weft/contract/activities/schema'
import { useChange } from '../../../kit/actions/use-change.ts'
import { Load } from '../../../kit/states/states.tsx'
import { useRead } from '../../../lib/query.ts'
import { workflowPath } from '../../workflows/actions.ts'
import classes from '../help/help.module.css'
import { useT } from '../text.ts'

/** The workflows that hold a custom activity, what its newest version changes in each, and the way to take it. */
export function Users({ activity }: { activity: ActivityRow }) {
  const users = useRead(activities.users, { id: activity.id })
  return (
    <Load of={users}>
      {(all) => <UserList key={activity.activityVersion} activity={activity} users={all} />}
    </Load>
  )
}

/** Whether a draft holds an older version, and may be given the newest one. */
function isBehind({ steps }: ActivityUser, to: number): boolean {
  return steps.some(({ from }) => from < to)
}

function canTake(user: ActivityUser, to: number): boolean {
  return (
    isBehind(user, to) && user.can.includes('update') && user.steps.every(({ inUse }) => inUse.length === 0)
  )
}

function UserList({ activity, users }: { activity: ActivityRow; users: readonly ActivityUser[] }) {
  const t = useT()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const to = activity.activityVersion ?? 0
  const upgrade = useChange(activities.upgrade, { done: t('custom.upgraded'), invalidates: ['workflows'] })
  if (users.length === 0) return <p className={classes.none}>{t('custom.noUsers')}</p>
  const able = users.filter((user) => canTake(user, to))
  const chosen = able.filter(({ workflowId }) => !left.has(workflowId))
  const toggle = (workflowId: string) =>
    setLeft((before) => {
      const next = new Set(before)
      if (!next.delete(workflowId)) next.add(workflowId)
      return next
    })
  return (
    <div className={classes.example}>
      <ul className={classes.users}>
        {users.map((user) => (
          <li key={user.workflowId}>
            <Checkbox
              aria-label={user.name}
              checked={canTake(user, to) && !left.has(user.workflowId)}
              disabled={!canTake(user, to)}
              onChange={() => toggle(user.workflowId)}
            />
            <div>
              <Link to={workflowPath(user.workflowId)}>
                <bdi>{user.name}</bdi>
              </Link>
              <Changes user={user} to={to} />
            </div>
          </li>
        ))}
      </ul>
      {able.length > 0 && (
        <Button
          disabled={chosen.length === 0}
          loading={upgrade.isPending}
          onClick={() =>
            upgrade.mutate({
              id: activity.id,
              to,
              workflows: chosen.map(({ workflowId: id, version }) => ({ id, version })),
            })
          }
        >
          {t('custom.upgrade', { count: chosen.length, version: to })}
        </Button>
      )}
    </div>
  )
}

/** What taking the newest version does to one workflow's draft, step by step. */
function Changes({ user: { steps, released, can }, to }: { user: ActivityUser; to: number }) {
  const t = useT()
  return (
    <ul className={classes.changes}>
      {released.length > 0 && <li>{t('custom.released', { list: released.join(', ') })}</li>}
      {steps.map(({ stepId, name, from, added, removed, missing, inUse }) => (
        <li key={stepId}>
          <bdi>{name ?? stepId}</bdi>{' '}
          {from >= to ? t('custom.newest', { version: from }) : t('custom.from', { from, to })}
          {added.length > 0 && (
            <span data-kind="added">
              {t('custom.added', { list: added.map((one) => one.name).join(', ') })}
            </span>
          )}
          {removed.length > 0 && (
            <span data-kind="removed">{t('custom.removed', { list: removed.join(', ') })}</span>
          )}
          {missing.length > 0 && (
            <span data-kind="missing">
              {t(from >= to ? 'custom.missing' : 'custom.wouldMiss', { list: missing.join(', ') })}
            </span>
          )}
          {inUse.length > 0 && (
            <span data-kind="removed">{t('custom.inUse', { list: inUse.join(', ') })}</span>
          )}
        </li>
      ))}
      {!can.includes('update') && <li>{t('custom.notYours')}</li>}
    </ul>
  )
}
