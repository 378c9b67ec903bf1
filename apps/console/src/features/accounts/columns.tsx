import {
  IconBrandFacebook,
  IconBrandGoogle,
  IconBrandInstagram,
  IconBrandTiktok,
  IconBrandX,
  IconBrandYoutube,
  IconUser,
  IconWorld,
} from '@tabler/icons-react'
import type { Account } from '@weft/contract/accounts/schema'
import { columnsOf } from '../../kit/list/columns.tsx'
import { optionLabel } from '../../lib/i18n/names.ts'
import classes from './accounts.module.css'
import { ACCOUNT_TONES } from './tones.ts'

const col = columnsOf<Account>()

const ICONS: Record<Account['type'], typeof IconUser> = {
  facebook: IconBrandFacebook,
  instagram: IconBrandInstagram,
  youtube: IconBrandYoutube,
  tiktok: IconBrandTiktok,
  x: IconBrandX,
  google: IconBrandGoogle,
  website: IconWorld,
  other: IconUser,
}

function Kind({ type }: { type: Account['type'] }) {
  const Icon = ICONS[type]
  return (
    <span className={classes.kind}>
      <Icon size={16} stroke={1.6} aria-hidden />
      {optionLabel('accounts', 'type', type)}
    </span>
  )
}

/** The columns of the account list. */
export const accountColumns = [
  col.name('username'),
  col.cell('type', (row) => <Kind type={row.type} />),
  col.status('status', ACCOUNT_TONES),
  col.text('channelName'),
  col.ltr('email'),
  col.lease(),
  col.date('lastUsedAt'),
  col.text('displayName', { hidden: true }),
  col.tags('allowedDomains', { hidden: true }),
  ...(['perDay', 'perHour', 'cooldownMinutes'] as const).map((name) =>
    col.number(`limits.${name}`, { hidden: true, sort: false, value: ({ limits }) => limits[name] }),
  ),
  col.ltr('limits.quietHours', { hidden: true, sort: false, value: ({ limits }) => limits.quietHours }),
  col.text('lastError', { hidden: true }),
  col.tags('tags', { hidden: true }),
  col.text('notes', { hidden: true, sort: false, width: 280 }),
  col.date('createdAt', { hidden: true }),
  col.date('updatedAt', { hidden: true }),
]
