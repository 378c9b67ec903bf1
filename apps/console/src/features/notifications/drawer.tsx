import { Button, Drawer, SegmentedControl } from '@mantine/core'
import { IconBellOff, IconChecks, IconChevronLeft, IconSettings } from '@tabler/icons-react'
import { notifications } from '@weft/contract/notifications/api'
import type { Notification } from '@weft/contract/notifications/schema'
import { useState } from 'react'
import { useChange } from '../../kit/actions/use-change.ts'
import { Empty, Failure, LinesSkeleton } from '../../kit/states/states.tsx'
import { useKitText } from '../../lib/i18n/texts.ts'
import { useRead } from '../../lib/query.ts'
import { signedIn } from '../../lib/session/session.ts'
import { NotificationGroup } from './group.tsx'
import { MutedKinds } from './muted-kinds.tsx'
import { useT } from './text.ts'
import { grouped } from './words.ts'
import classes from './notifications.module.css'

const STEP = 25

/** Everything one was told, unread or all, and what one wants to be told. */
export default function NotificationDrawer({ onClose }: { onClose: () => void }) {
  const t = useT()
  const k = useKitText()
  const [showing, setShowing] = useState<'unread' | 'all' | 'what'>('unread')
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={420}
      title={showing === 'what' ? t('what') : t('title')}
      closeButtonProps={{ 'aria-label': k('common.close') }}
      overlayProps={{ backgroundOpacity: 0.15 }}
    >
      {showing === 'what' ? (
        <>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            mb={12}
            leftSection={<IconChevronLeft size={16} className="flip-rtl" aria-hidden />}
            onClick={() => setShowing('unread')}
          >
            {t('title')}
          </Button>
          <MutedKinds />
        </>
      ) : (
        <Told showing={showing} onShow={setShowing} onClose={onClose} />
      )}
    </Drawer>
  )
}

function Told(props: {
  showing: 'unread' | 'all'
  onShow: (what: 'unread' | 'all' | 'what') => void
  onClose: () => void
}) {
  const { showing } = props
  const t = useT()
  const [most, setMost] = useState(STEP)
  const list = useRead(
    notifications.list,
    { perPage: most, ...(showing === 'unread' ? { unread: true } : {}) },
    { keep: true },
  )
  const read = useChange(notifications.read)
  const looksOn = signedIn.get()?.viewing !== undefined
  const { data, error } = list
  const unread = data?.data.some(({ readAt }) => readAt === null) ?? false
  const readOne = ({ id, readAt }: Notification) => {
    if (readAt === null && !looksOn) read.mutate({ only: [id] })
  }
  return (
    <>
      <div className={classes.head}>
        <SegmentedControl
          size="xs"
          value={showing}
          data={[
            { value: 'unread', label: t('unread') },
            { value: 'all', label: t('all') },
          ]}
          onChange={(value) => {
            setMost(STEP)
            props.onShow(value === 'all' ? 'all' : 'unread')
          }}
        />
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconChecks size={16} aria-hidden />}
          disabled={!unread || looksOn}
          loading={read.isPending}
          onClick={() => read.mutate({})}
        >
          {t('readAll')}
        </Button>
      </div>
      {!data &&
        (error ? <Failure error={error} retry={() => void list.refetch()} /> : <LinesSkeleton lines={6} />)}
      {data?.data.length === 0 && (
        <Empty
          icon={<IconBellOff size={24} stroke={1.6} />}
          title={t('empty.title')}
          text={t(`empty.${showing}`)}
        />
      )}
      {data && data.data.length > 0 && (
        <ul className={classes.list}>
          {grouped(data.data).map((group) => (
            <NotificationGroup
              key={group[0]?.id}
              entries={group}
              onRead={looksOn ? undefined : readOne}
              onGo={(entry) => {
                readOne(entry)
                props.onClose()
              }}
            />
          ))}
        </ul>
      )}
      {data && data.totalRecord > data.data.length && (
        <Button variant="default" fullWidth mt={12} onClick={() => setMost(most + STEP)}>
          {t('more')}
        </Button>
      )}
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        mt={20}
        leftSection={<IconSettings size={16} aria-hidden />}
        onClick={() => props.onShow('what')}
      >
        {t('what')}
      </Button>
    </>
  )
}
