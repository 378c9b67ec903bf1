import { Anchor, Button } from '@mantine/core'
import { Link } from 'react-router'
import type { WaitingAccount } from '@weft/contract/attended-runs/schema'
import { columnsOf } from '../../kit/list/columns.tsx'
import { StatusBadge } from '../../kit/status/status-badge.tsx'
import { optionLabel } from '../../lib/i18n/names.ts'
import classes from './desk.module.css'
import { opening } from './opening.ts'
import { viewerPath } from './paths.ts'
import { useT } from './text.ts'
import { REASON_TONES, STATE_TONES } from './tones.ts'

const col = columnsOf<WaitingAccount>()

/** Who has the account's browser in hand now, and how far that is; or the way to open it. */
function AtIt({ of: { id, username, attended } }: { of: WaitingAccount }) {
  const t = useT()
  if (!attended)
    return (
      <Button
        size="compact-sm"
        variant="light"
        onClick={() => opening.set({ accountId: id, name: username })}
      >
        {t('openNow')}
      </Button>
    )
  return (
    <span className={classes.atIt}>
      <StatusBadge feature="desk" field="state" value={attended.state} tones={STATE_TONES} />
      <Anchor component={Link} to={viewerPath(attended.id)} size="sm">
        <bdi>{attended.mine ? t('you') : attended.holderName}</bdi>
      </Anchor>
    </span>
  )
}

/** The columns of the queue. */
export const deskColumns = [
  col.name('username'),
  col.cell('reason', ({ reason }) => (
    <StatusBadge feature="desk" field="reason" value={reason} tones={REASON_TONES} />
  )),
  col.cell('type', ({ type }) => <span>{optionLabel('accounts', 'type', type)}</span>),
  col.date('since'),
  col.date('lastSignInAt'),
  col.text('profileName'),
  // It is never empty, also on a phone: where nobody is at it stands the way to open it.
  col.cell('attended', (row) => <AtIt of={row} />, { width: 220, value: ({ id }) => id }),
  col.text('lastError', { hidden: true }),
]
