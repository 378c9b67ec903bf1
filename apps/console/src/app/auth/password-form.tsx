import { Anchor, Button, PasswordInput, Stack } from '@mantine/core'
import { useState, type FormEvent, type KeyboardEvent, type ReactNode } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { botToken } from '../../lib/bot-check.ts'
import { isFailure, type Failure } from '../../lib/failure.ts'
import { useAppText } from '../../lib/i18n/texts.ts'
import { signIn } from '../../lib/session/session.ts'
import { STORAGE, readStored } from '../../lib/storage.ts'
import { enter } from './enter.ts'
import { nextSearch, readSentHere } from './sent-here.ts'
import { useCountdown } from './use-countdown.ts'
import classes from './auth.module.css'
import { NameInput } from './name-input.tsx'

/** Name and password; goes on to the page that was wanted, or to the second step. */
export function PasswordForm(props: {
  nextUrl: string | null
  remember: boolean
  rememberBox: ReactNode
  busy: boolean
  onBusy: (busy: boolean) => void
  failure: Failure | null
  onFailure: (failure: Failure | null) => void
}) {
  const { nextUrl, remember, busy } = props
  const t = useAppText()
  const navigate = useNavigate()
  const sent = readSentHere(useLocation().state)
  const [username, setUsername] = useState(() => sent.username ?? readStored(STORAGE.username) ?? '')
  const [password, setPassword] = useState('')
  const [capsLock, setCapsLock] = useState(false)
  const wait = useCountdown(props.failure)
  const search = nextSearch(nextUrl)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || wait > 0) return
    props.onBusy(true)
    props.onFailure(null)
    try {
      const name = username.trim()
      const step = await signIn({ username: name, password, remember, botToken: await botToken('login') })
      if (step) void navigate({ pathname: '/auth/two-steps', search }, { state: { ...step, username: name } })
      else void navigate(await enter(nextUrl), { replace: true })
    } catch (error) {
      if (!isFailure(error)) throw error
      props.onFailure(error)
      setPassword('')
    } finally {
      props.onBusy(false)
    }
  }
  const watchCaps = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap={16}>
        <NameInput
          label={t('signIn.username')}
          name="username"
          autoComplete="username"
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
        <div className={classes.row}>
          {props.rememberBox}
          <Anchor component={Link} to={{ pathname: '/auth/forgot-password', search }} fz="sm">
            {t('signIn.forgot')}
          </Anchor>
        </div>
        <Button type="submit" fullWidth size="md" loading={busy} disabled={wait > 0}>
          {wait > 0 ? t('signIn.wait', { seconds: wait }) : t('signIn.submit')}
        </Button>
      </Stack>
    </form>
  )
}
