import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useState, useSyncExternalStore, type FormEvent } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { config } from '../../lib/config.ts'
import { isFailure, type Failure } from '../../lib/failure.ts'
import { errorText, fieldErrorText } from '../../lib/i18n/names.ts'
import { useAppText } from '../../lib/i18n/texts.ts'
import { setUp } from '../../lib/session/session.ts'
import { AuthCard } from './auth-card.tsx'
import { enter } from './enter.ts'
import classes from './auth.module.css'

const SHORTEST_PASSWORD = 8

/** Makes the first administrator with the one-time link, and signs in. */
export function SetUpPage() {
  const t = useAppText()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const token = search.get('token') ?? ''
  const { needsSetUp } = useSyncExternalStore(config.subscribe, config.get)
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const fieldError = (name: string) => {
    const found = failure?.body.errors?.find(({ path }) => path === name)
    return found ? fieldErrorText(found.code, found.params, found.message) : undefined
  }
  const tooShort = tried && password.length < SHORTEST_PASSWORD
  const different = tried && password !== again

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    setFailure(null)
    if (busy || password.length < SHORTEST_PASSWORD || password !== again || username.trim() === '') return
    setBusy(true)
    try {
      await setUp({ token, username: username.trim(), password })
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
      {failure && !failure.body.errors?.length && (
        <div className={classes.notice} data-tone="red" role="alert">
          {errorText(failure.body.code, failure.body.params, failure.body.message)}
        </div>
      )}
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap={16}>
          <TextInput
            label={t('setUp.username')}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            required
            withAsterisk={false}
            autoFocus
            maxLength={64}
            value={username}
            error={tried && username.trim() === '' ? fieldErrorText('required') : fieldError('username')}
            onChange={(event) => setUsername(event.currentTarget.value)}
          />
          <PasswordInput
            label={t('setUp.password')}
            description={t('setUp.passwordHelp')}
            name="password"
            autoComplete="new-password"
            dir="ltr"
            required
            withAsterisk={false}
            value={password}
            error={
              tooShort ? fieldErrorText('too_short', { minimum: SHORTEST_PASSWORD }) : fieldError('password')
            }
            // The kit marks only the frame of a password field as wrong.
            aria-invalid={tooShort || Boolean(fieldError('password'))}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
          />
          <PasswordInput
            label={t('setUp.confirm')}
            name="confirm"
            autoComplete="new-password"
            dir="ltr"
            required
            withAsterisk={false}
            value={again}
            error={different ? t('setUp.different') : undefined}
            aria-invalid={different}
            onChange={(event) => setAgain(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
          />
          <Button type="submit" fullWidth size="md" loading={busy}>
            {t('setUp.submit')}
          </Button>
        </Stack>
      </form>
    </AuthCard>
  )
}
