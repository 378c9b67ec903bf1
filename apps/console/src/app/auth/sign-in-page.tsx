import { Button, Checkbox, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useEffect, useState, useSyncExternalStore, type FormEvent, type KeyboardEvent } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { failureParams } from '../../kit/toast/toast.ts'
import { config } from '../../lib/config.ts'
import { isFailure, type Failure } from '../../lib/failure.ts'
import { errorText } from '../../lib/i18n/names.ts'
import { useAppText } from '../../lib/i18n/texts.ts'
import { safeNextUrl } from '../../lib/navigation/next-url.ts'
import { signIn, signedIn } from '../../lib/session/session.ts'
import { isRemembered } from '../../lib/session/state.ts'
import { STORAGE, readStored } from '../../lib/storage.ts'
import { lastEnd, workbench } from '../boot.ts'
import { AuthCard } from './auth-card.tsx'
import { botToken } from './bot-check.ts'
import { enter, keepReturnPath } from './enter.ts'
import classes from './auth.module.css'

/** Signs in with username and password. */
export function SignInPage() {
  const t = useAppText()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const nextUrl = search.get('nextUrl')
  const { needsSetUp } = useSyncExternalStore(config.subscribe, config.get)
  const ended = useSyncExternalStore(lastEnd.subscribe, lastEnd.get)
  const user = useSyncExternalStore(signedIn.subscribe, signedIn.get)
  const bench = useSyncExternalStore(workbench.subscribe, workbench.get)
  const [username, setUsername] = useState(() => readStored(STORAGE.username) ?? '')
  const [password, setPassword] = useState('')
  const [remember, setRemember] = useState(isRemembered)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [capsLock, setCapsLock] = useState(false)
  const wait = useCountdown(failure)
  useEffect(() => keepReturnPath(nextUrl), [nextUrl])

  if (user && bench && !busy)
    return <Navigate to={safeNextUrl(nextUrl, window.location.origin) ?? '/'} replace />

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || wait > 0) return
    setBusy(true)
    setFailure(null)
    try {
      await signIn({ username: username.trim(), password, remember, botToken: await botToken('login') })
      void navigate(await enter(nextUrl), { replace: true })
    } catch (error) {
      if (!isFailure(error)) throw error
      setFailure(error)
      setPassword('')
    } finally {
      setBusy(false)
    }
  }
  const watchCaps = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <AuthCard title={t('signIn.title')} lead={t('signIn.lead')}>
      {needsSetUp && <div className={classes.notice}>{t('signIn.needsSetUp')}</div>}
      {!failure && !needsSetUp && ended === 'expired' && (
        <div className={classes.notice}>{t('signIn.ended')}</div>
      )}
      {failure && (
        <div className={classes.notice} data-tone="red" role="alert">
          {errorText(
            failure.body.code,
            failureParams(failure.body.params, failure.retryAfterSeconds),
            failure.body.message,
          )}
        </div>
      )}
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap={16}>
          <TextInput
            label={t('signIn.username')}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            required
            withAsterisk={false}
            autoFocus={username === ''}
            value={username}
            onChange={(event) => setUsername(event.currentTarget.value)}
          />
          <div>
            <PasswordInput
              label={t('signIn.password')}
              name="password"
              autoComplete="current-password"
              dir="ltr"
              required
              withAsterisk={false}
              autoFocus={username !== ''}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              onKeyUp={watchCaps}
              onKeyDown={watchCaps}
              visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
              {...(capsLock ? { 'aria-describedby': 'caps' } : {})}
            />
            {capsLock && (
              <div id="caps" className={classes.caps}>
                {t('signIn.capsLock')}
              </div>
            )}
          </div>
          <Checkbox
            label={t('signIn.remember')}
            checked={remember}
            onChange={(event) => setRemember(event.currentTarget.checked)}
          />
          <Button type="submit" fullWidth size="md" loading={busy} disabled={wait > 0}>
            {wait > 0 ? t('signIn.wait', { seconds: wait }) : t('signIn.submit')}
          </Button>
        </Stack>
      </form>
    </AuthCard>
  )
}

/** Seconds that are left until another try makes sense. */
function useCountdown(failure: Failure | null): number {
  const [left, setLeft] = useState<{ of: Failure | null; seconds: number }>({ of: null, seconds: 0 })
  if (left.of !== failure) setLeft({ of: failure, seconds: secondsOf(failure) })
  const running = left.seconds > 0
  useEffect(() => {
    if (!running) return undefined
    const timer = setInterval(
      () => setLeft((now) => ({ ...now, seconds: Math.max(0, now.seconds - 1) })),
      1000,
    )
    return () => clearInterval(timer)
  }, [running])
  return left.seconds
}

function secondsOf(failure: Failure | null): number {
  if (failure?.httpStatus !== 429) return 0
  const told = failure.body.params?.['seconds']
  return failure.retryAfterSeconds ?? (typeof told === 'number' ? told : 0)
}
