import { Modal } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { clients } from '@weft/contract/clients/api'
import type { Client } from '@weft/contract/clients/schema'
import { DateTimeField } from '../../kit/fields/date-time.tsx'
import { TextareaField } from '../../kit/fields/text.tsx'
import { FormBody } from '../../kit/form/form.tsx'
import { useCallForm } from '../../kit/form/use-resource-form.ts'
import { store } from '../../lib/emitter.ts'
import { useT } from './text.ts'

/** The client whose pause is asked about. */
export const pausing = store<Client | null>(null)

/** Asks for note and end of a pause; one stands on each page with clients. */
export function PauseDialog() {
  const t = useT()
  const client = useSyncExternalStore(pausing.subscribe, pausing.get)
  return (
    <Modal
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
  const done = () => pausing.set(null)
  const form = useCallForm(clients.pause, { fixed: { id: client.id }, onDone: done })
  return (
    <FormBody form={{ ...form, close: done }} submitLabel={t('pause.submit')}>
      <p>{t('pause.text')}</p>
      <TextareaField name="note" />
      <DateTimeField name="until" />
    </FormBody>
  )
}
