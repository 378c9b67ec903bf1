import { Anchor, Button, Stack } from '@mantine/core'
import { useState, useSyncExternalStore, type FormEvent } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { config } from '../../lib/config.ts'
import { isFailure, type Failure } from '../../lib/failure.ts'
import { fieldErrorText } from '../../lib/i18n/names.ts'
import { useAppText } from '../../lib/i18n/texts.ts'
import { setUp } from '../../lib/session/session.ts'
import { AuthCard } from './auth-card.tsx'
import { enter } from './enter.ts'
import {
  isChosen,
  NewPasswordFields,
  type ChosenPassword,
} from '../../kit/new-password/new-password-fields.tsx'
import { FailureNotice } from './notice.tsx'
import { NameInput } from './name-input.tsx'

/** Makes the first administrator with the one-time link, and signs in. */
export function SetUpPage() {
  const t = useAppText()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const token = search.get('token') ?? ''
  const { needsSetUp } = useSyncExternalStore(config.subscribe, config.get)
  const [username, setUsername] = useState('')
  const [chosen, setChosen] = useState<ChosenPassword>({ first: '', again: '' })
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const fieldError = (name: string) => {
    const found = failure?.body.errors?.find(({ path }) => path === name)
    return found ? fieldErrorText(found.code, found.params, found.message) : undefined
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    setFailure(null)
    if (busy || !isChosen(chosen) || username.trim() === '') return
    setBusy(true)
    try {
      await setUp({ token, username: username.trim(), password: chosen.first })
      void navigate(await enter(null), { replace: true })
    } catch (error) {
      if (!isFailure(error)) throw error
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const over = !needsSetUp && failure === null && !busy
  if (over || !token)
    return (
      <AuthCard title={t('setUp.title')} lead={over ? t('setUp.done') : t('setUp.noToken')}>
        <Anchor component={Link} to="/login" fz="sm">
          {t('setUp.toSignIn')}
        </Anchor>
      </AuthCard>
    )
  return (
    <AuthCard title={t('setUp.title')} lead={t('setUp.lead')}>
      {failure && !failure.body.errors?.length && <FailureNotice failure={failure} />}
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap={16}>
          <NameInput
            label={t('setUp.username')}
            name="username"
            autoComplete="username"
            autoFocus
            maxLength={64}
            value={username}
            error={tried && username.trim() === '' ? fieldErrorText('required') : fieldError('username')}
            onChange={(event) => setUsername(event.currentTarget.value)}
          />
          <NewPasswordFields
            value={chosen}
            onChange={setChosen}
            tried={tried}
            failure={failure}
            labels={{ first: t('setUp.password'), again: t('setUp.confirm') }}
            field="password"
          />
          <Button type="submit" fullWidth size="md" loading={busy}>
            {t('setUp.submit')}
          </Button>
        </Stack>
      </form>
    </AuthCard>
  )
}
