import { ActionIcon } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { unreadNotifications } from '@weft/contract/notifications/unread'
import { Suspense, lazy, useState } from 'react'
import { useFormats } from '../../lib/formats.ts'
import { useRead } from '../../lib/query.ts'
import { useT } from './text.ts'
import classes from './notifications.module.css'

const NotificationDrawer = lazy(() => import('./drawer.tsx'))

/** Beyond so many the number says no more than that there are many. */
const MANY = 99

/** The bell in the navbar: how much is unread, and the way to it. */
export function Bell() {
  const t = useT()
  const formats = useFormats()
  const [open, setOpen] = useState(false)
  const count = useRead(unreadNotifications.unread, {}).data?.count ?? 0
  const label = t('open', { count })
  return (
    <>
      <ActionIcon
        className={classes.button}
        size={36}
        aria-label={label}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <span className={classes.bell}>
          <IconBell size={19} stroke={1.7} />
          {count > 0 && (
            <span className={classes.count} aria-hidden>
              {count > MANY ? `${formats.number(MANY)}+` : formats.number(count)}
            </span>
          )}
        </span>
      </ActionIcon>
      <span className="unseen" aria-live="polite">
        {count > 0 ? label : ''}
      </span>
      <Suspense fallback={null}>{open && <NotificationDrawer onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
