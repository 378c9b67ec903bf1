import { Alert, Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { tokens } from '@weft/contract/access/tokens/api'
import { useChange } from '../../../kit/actions/use-change.ts'
import { CopyField } from '../../../kit/values/values.tsx'
import { text } from '../../../lib/i18n/texts.ts'
import { useT } from '../text.ts'
import { ScopeField } from './scope-field.tsx'
import { scopesOf, type ChosenScopes } from './scopes.ts'

const DAYS = [7, 30, 90, 365]

/** Makes a token: its name, what it may do, until when; then its secret, this one time. */
export function NewToken({ onClose }: { onClose: () => void }) {
  const t = useT()
  const [name, setName] = useState('')
  const [days, setDays] = useState(30)
  const [chosen, setChosen] = useState<ChosenScopes>({})
  const [tried, setTried] = useState(false)
  const create = useChange(tokens.create)
  const scopes = scopesOf(chosen)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (name.trim() !== '' && scopes.length > 0) create.mutate({ name: name.trim(), days, scopes })
  }
  const made = create.data
  return (
    <Modal
      opened
      onClose={onClose}
      title={made ? t('tokens.made', { name: made.token.name }) : t('tokens.create')}
      size={560}
      closeOnClickOutside={!made}
      closeOnEscape={!made}
      closeButtonProps={{ 'aria-label': text('kit:common.close') }}
    >
      {made ? (
        <Stack gap={16}>
          <Alert color="yellow" variant="light">
            {t('tokens.once')}
          </Alert>
          <CopyField value={made.secret} label={t('tokens.copy')} />
          <Button onClick={onClose}>{t('tokens.kept')}</Button>
        </Stack>
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack gap={16}>
            <TextInput
              label={t('tokens.name')}
              description={t('tokens.nameHelp')}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              error={tried && name.trim() === '' ? text('errors:fields.required') : undefined}
              maxLength={80}
              data-autofocus
            />
            <Select
              label={t('tokens.days')}
              data={DAYS.map((count) => ({ value: String(count), label: t('tokens.forDays', { count }) }))}
              value={String(days)}
              onChange={(value) => setDays(Number(value ?? days))}
              allowDeselect={false}
            />
            <ScopeField
              value={chosen}
              onChange={setChosen}
              error={tried && scopes.length === 0 ? t('tokens.noScope') : null}
            />
            <Group justify="flex-end" gap={8}>
              <Button variant="default" onClick={onClose}>
                {text('kit:common.cancel')}
              </Button>
              <Button type="submit" loading={create.isPending}>
                {t('tokens.create')}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  )
}
