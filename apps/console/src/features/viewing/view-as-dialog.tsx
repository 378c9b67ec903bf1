import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { useState, useSyncExternalStore } from 'react'
import { toast } from '../../kit/toast/toast.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { aboutToView } from './action.ts'
import { startViewing } from './viewing.ts'
import { useT } from './text.ts'

const SHORTEST = 3

/** Asks why, and begins. */
export default function ViewAsDialog() {
  const person = useSyncExternalStore(aboutToView.subscribe, aboutToView.get)
  return person && <Ask person={person} />
}

function Ask({ person }: { person: { id: string; username: string; displayName: string } }) {
  const t = useT()
  const k = useKitText()
  const { id, username, displayName } = person
  const close = () => aboutToView.set(null)
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const start = async () => {
    setBusy(true)
    try {
      await startViewing(id, reason.trim())
    } catch (error) {
      setBusy(false)
      toast.failure(error)
    }
  }
  return (
    <Modal
      opened
      onClose={close}
      title={t('title', { name: displayName || username })}
      size={440}
      closeButtonProps={{ 'aria-label': k('common.close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void start()
        }}
      >
        <Text c="dimmed" mb={16}>
          {t('lead')}
        </Text>
        <TextInput
          label={t('reason')}
          description={t('reasonHelp')}
          required
          withAsterisk={false}
          minLength={SHORTEST}
          maxLength={300}
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Group justify="flex-end" mt={24} gap={8}>
          <Button variant="default" onClick={close}>
            {k('common.cancel')}
          </Button>
          <Button type="submit" loading={busy} disabled={reason.trim().length < SHORTEST}>
            {t('start')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
