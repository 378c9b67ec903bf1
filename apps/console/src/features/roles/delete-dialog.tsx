import { Button, Group, Modal, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { roles } from '@weft/contract/roles/api'
import type { Role } from '@weft/contract/roles/schema'
import { toast } from '../../kit/toast/toast.ts'
import { call } from '../../lib/api.ts'
import { text } from '../../lib/i18n/texts.ts'
import { invalidateFeatures } from '../../lib/query.ts'
import { roleName } from '../users/roles.ts'
import { useT } from './text.ts'

/** Deletes a role; asks what its people get instead. */
export function DeleteRole(props: {
  role: Role
  others: readonly Role[]
  onClose: () => void
  onDone: () => void
}) {
  const t = useT()
  const { role, others } = props
  const [replacement, setReplacement] = useState<string | null>(null)
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const needed = role.people > 0
  const submit = async () => {
    setAsked(true)
    if (needed && replacement === null) return
    setBusy(true)
    try {
      await call(roles.remove, { id: role.id, ...(replacement === null ? {} : { replacement }) })
      toast.success(t('delete.done', { name: role.name }))
      void invalidateFeatures(['roles', 'users'])
      props.onDone()
    } catch (error) {
      toast.failure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={t('delete.title', { name: role.name })}
      size={460}
      closeButtonProps={{ 'aria-label': text('kit:common.close') }}
    >
      <Text c="dimmed">
        {t('delete.text')} {t('delete.people', { count: role.people })}
      </Text>
      {needed && (
        <Select
          mt={16}
          label={t('delete.replacement')}
          data={others.map(({ key, name }) => ({ value: key, label: roleName(key, name) }))}
          value={replacement}
          onChange={setReplacement}
          error={asked && replacement === null ? t('delete.needed') : null}
        />
      )}
      <Group justify="flex-end" mt={24} gap={8}>
        <Button variant="default" data-autofocus onClick={props.onClose}>
          {text('kit:common.cancel')}
        </Button>
        <Button color="red" loading={busy} onClick={() => void submit()}>
          {t('delete.submit')}
        </Button>
      </Group>
    </Modal>
  )
}
