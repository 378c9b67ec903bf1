import { Button, Group, Modal, Text } from '@mantine/core'
import { useState, useSyncExternalStore } from 'react'
import { users } from '@weft/contract/users/api'
import { RecordPicker } from '../../kit/fields/record-picker.tsx'
import { Load, LinesSkeleton } from '../../kit/states/states.tsx'
import { toast } from '../../kit/toast/toast.ts'
import { call } from '../../lib/api.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { invalidateFeatures, useRead } from '../../lib/query.ts'
import { leaving, type Leaving } from './dialogs.ts'
import { OwnedList } from './owned-list.tsx'
import { useT } from './text.ts'

/** Asks who takes over what somebody owns, before they are deleted or stay without it. */
export function LeavingDialog() {
  const t = useT()
  const kit = useKitText()
  const open = useSyncExternalStore(leaving.subscribe, leaving.get)
  const name = open?.person.displayName ?? ''
  return (
    <Modal
      opened={open !== null}
      onClose={() => leaving.set(null)}
      title={t(open?.deletes === false ? 'leave.transferTitle' : 'leave.deleteTitle', { name })}
      size={480}
      closeButtonProps={{ 'aria-label': kit('common.close') }}
    >
      {open && <Ask key={open.person.id} {...open} />}
    </Modal>
  )
}

function Ask({ person, deletes, onDone }: Leaving) {
  const t = useT()
  const kit = useKitText()
  const record = useRead(users.owns, { id: person.id })
  const [userId, setUserId] = useState<string | null>(null)
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const needed = deletes ? record.data?.needsSuccessor === true : true
  const submit = async () => {
    setAsked(true)
    if (needed && userId === null) return
    setBusy(true)
    try {
      const input = { id: person.id, ...(userId === null ? {} : { userId }) }
      const { moved } = deletes
        ? await call(users.remove, input)
        : await call(users.transfer, { id: person.id, userId: userId ?? '' })
      const count = moved.reduce((sum, one) => sum + one.count, 0)
      const words = [
        ...(deletes ? [t('leave.deleted', { name: person.displayName })] : []),
        ...(deletes && count === 0 ? [] : [t('leave.moved', { count })]),
      ]
      toast.success(words.join(' · '))
      leaving.set(null)
      void invalidateFeatures(['users', ...moved.map(({ kind }) => kind)])
      onDone?.()
    } catch (error) {
      toast.failure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Load of={record} part skeleton={<LinesSkeleton lines={4} />}>
      {({ owns, needsSuccessor }) => (
        <>
          <Text c="dimmed" mb={16}>
            {t(deletes ? 'leave.deleteText' : 'leave.transferText')}
          </Text>
          {owns.length === 0 ? (
            <Text>{t('leave.nothing')}</Text>
          ) : (
            <>
              <Text mb={8}>{t('leave.owns')}</Text>
              <OwnedList owns={owns} />
            </>
          )}
          {(needsSuccessor || !deletes) && (
            <div style={{ marginBlockStart: 16 }}>
              <Text component="label" htmlFor="leave-successor" fw={550} size="sm">
                {t('leave.successor')}
              </Text>
              <Text c="dimmed" size="xs" mb={4}>
                {t('leave.successorHelp')}
              </Text>
              <RecordPicker
                source={{
                  from: users.list,
                  get: users.get,
                  label: ({ displayName, username }) =>
                    displayName === username ? username : `${displayName} (${username})`,
                  filter: { status: ['active'] },
                }}
                id="leave-successor"
                value={userId}
                onChange={setUserId}
                error={asked && needed && userId === null}
                clearable
              />
              {asked && needed && userId === null && (
                <Text c="red" size="xs" mt={4} role="alert">
                  {t('leave.needed')}
                </Text>
              )}
            </div>
          )}
          <Group justify="flex-end" mt={24} gap={8}>
            <Button variant="default" data-autofocus onClick={() => leaving.set(null)}>
              {kit('common.cancel')}
            </Button>
            <Button color={deletes ? 'red' : undefined} loading={busy} onClick={() => void submit()}>
              {t(deletes ? 'leave.delete' : 'leave.transfer')}
            </Button>
          </Group>
        </>
      )}
    </Load>
  )
}
