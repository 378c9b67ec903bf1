import { Anchor, Button, Group, Modal, PasswordInput, Text, TextInput } from '@mantine/core'
import { useState, useSyncExternalStore, type FormEvent } from 'react'
import { access } from '@weft/contract/access/api'
import { twoSteps } from '@weft/contract/access/two-steps/api'
import { users } from '@weft/contract/users/api'
import { call } from '../../lib/api.ts'
import { isFailure, type Failure } from '../../lib/failure.ts'
import { errorText } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { useRead } from '../../lib/query.ts'
import { signOut } from '../../lib/session/session.ts'
import { failureParams } from '../toast/toast.ts'
import { proving } from './proof.ts'
import { UsernameHint } from './username-hint.tsx'

/** Asks who is signed in to show once more that it is them. */
export default function ProofHost() {
  const t = useKitText()
  const open = useSyncExternalStore(proving.subscribe, proving.get)
  return (
    <Modal
      opened={open !== null}
      onClose={() => open?.answer(false)}
      title={t('proof.title')}
      size={420}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      zIndex={310}
    >
      <Ask onDone={(proved) => open?.answer(proved)} />
    </Modal>
  )
}

function Ask({ onDone }: { onDone: (proved: boolean) => void }) {
  const t = useKitText()
  const profile = useRead(users.profile, {}).data
  const second = useRead(twoSteps.state, {}).data
  const [chosen, setChosen] = useState<'password' | 'code' | null>(null)
  const [value, setValue] = useState('')
  const [failure, setFailure] = useState<Failure | null>(null)
  const [busy, setBusy] = useState(false)
  const hasPassword = profile?.hasPassword !== false
  const hasCode = second?.totp === true
  const by = chosen ?? (hasPassword ? 'password' : 'code')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // The form that the question came from is around this one in React's tree, though not in the page.
    event.stopPropagation()
    if (busy || value === '') return
    setBusy(true)
    setFailure(null)
    try {
      await call(access.prove, by === 'password' ? { password: value } : { code: value.trim() })
      onDone(true)
    } catch (error) {
      if (!isFailure(error)) throw error
      setFailure(error)
      setValue('')
    } finally {
      setBusy(false)
    }
  }
  if (!hasPassword && second && !hasCode) return <Again onCancel={() => onDone(false)} />
  const shared = {
    value,
    error: failure && reasonOf(failure, t('proof.wrongPassword')),
    required: true,
    withAsterisk: false,
    dir: 'ltr' as const,
    'data-autofocus': true,
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Text c="dimmed" mb={16}>
        {t('proof.text')}
      </Text>
      <UsernameHint />
      {by === 'password' ? (
        <PasswordInput
          key="password"
          label={t('proof.password')}
          autoComplete="current-password"
          onChange={(event) => setValue(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('form.secretShow') }}
          {...shared}
        />
      ) : (
        <TextInput
          key="code"
          label={t('proof.code')}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={12}
          onChange={(event) => setValue(event.currentTarget.value)}
          {...shared}
        />
      )}
      {hasPassword && hasCode && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          mt={8}
          onClick={() => {
            setChosen(by === 'password' ? 'code' : 'password')
            setValue('')
            setFailure(null)
          }}
        >
          {by === 'password' ? t('proof.useCode') : t('proof.usePassword')}
        </Anchor>
      )}
      <Group justify="flex-end" mt={24} gap={8}>
        <Button variant="default" onClick={() => onDone(false)}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={busy} disabled={value === ''}>
          {t('proof.submit')}
        </Button>
      </Group>
    </form>
  )
}

/** For who has neither password nor authenticator here, as with a provider's sign-in: a fresh sign-in shows it. */
function Again({ onCancel }: { onCancel: () => void }) {
  const t = useKitText()
  return (
    <>
      <Text c="dimmed">{t('proof.again')}</Text>
      <Group justify="flex-end" mt={24} gap={8}>
        <Button variant="default" onClick={onCancel}>
          {t('common.cancel')}
        </Button>
        <Button
          onClick={() => {
            onCancel()
            void signOut()
          }}
        >
          {t('proof.signOut')}
        </Button>
      </Group>
    </>
  )
}

function reasonOf({ body, retryAfterSeconds }: Failure, wrongPassword: string): string {
  if (body.errors?.some(({ path }) => path === 'password')) return wrongPassword
  return errorText(body.code, failureParams(body.params, retryAfterSeconds), body.message)
}
