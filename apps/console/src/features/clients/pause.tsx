import { Button, Group, Modal, TextInput } from '@mantine/core'
import { useState, useSyncExternalStore } from 'react'
import { clients } from '@weft/contract/clients/api'
import type { Client } from '@weft/contract/clients/schema'
import { GrowingText } from '../../kit/fields/growing-text.tsx'
import { useChange } from '../../kit/actions/use-change.ts'
import { fromLocalInput } from '../../kit/fields/date-time.tsx'
import { store } from '../../lib/emitter.ts'
import { text, useKitText } from '../../lib/i18n/texts.ts'
import classes from './clients.module.css'
import { useT } from './text.ts'

/** The client whose pause is asked about. */
export const pausing = store<Client | null>(null)

const MOST_SIGNS = 500

/** Asks for note and end of a pause; one stands on each page with clients. */
export function PauseDialog() {
  const t = useT()
  const client = useSyncExternalStore(pausing.subscribe, pausing.get)
  return (
    <Modal
      closeButtonProps={{ 'aria-label': text('kit:common.close') }}
      opened={client !== null}
      onClose={() => pausing.set(null)}
      title={client ? t('pause.title', { name: client.name }) : ''}
    >
      {client && <PauseForm key={client.id} client={client} />}
    </Modal>
  )
}

function PauseForm({ client }: { client: Client }) {
  const t = useT()
  const kit = useKitText()
  const [note, setNote] = useState('')
  const [until, setUntil] = useState('')
  const close = () => pausing.set(null)
  const pause = useChange(clients.pause, {
    done: t('pause.done', { name: client.name }),
    invalidates: ['campaigns'],
    onDone: close,
  })
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const submit = () => {
    const end = fromLocalInput(until)
    pause.mutate({
      id: client.id,
      ...(note.trim() ? { note: note.trim() } : {}),
      ...(end ? { until: end } : {}),
    })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <p className={classes.lead}>{t('pause.text')}</p>
      <GrowingText
        label={t('fields.note')}
        description={t('help.note')}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        maxLength={MOST_SIGNS}
        minRows={2}
        mb={16}
        data-autofocus
      />
      <TextInput
        type="datetime-local"
        label={t('fields.until')}
        description={`${t('help.until')} (${zone})`}
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
        mb={24}
      />
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={close}>
          {kit('common.cancel')}
        </Button>
        <Button type="submit" loading={pause.isPending}>
          {t('pause.submit')}
        </Button>
      </Group>
    </form>
  )
}
