import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { Link, useLocation } from 'react-router'
import { botToken } from '../../lib/bot-check.ts'
import { CallFailure, isFailure, type Failure } from '../../lib/failure.ts'
import { useAppText } from '../../lib/i18n/texts.ts'
import { plainCall } from '../../lib/plain-call.ts'
import { VISITOR_CALLS } from '../../lib/session/calls.ts'
import { AuthCard } from './auth-card.tsx'
import { FailureNotice, Notice } from './notice.tsx'
import { clockText, useCountdown } from './use-countdown.ts'

/** How long the server wants between two requests for one address. */
const WAIT_SECONDS = 300

/** Asks for a link by mail; the answer is the same whether or not the address is known. */
export function ForgotPasswordPage() {
  const t = useAppText()
  const { search } = useLocation()
  const [email, setEmail] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [sentTo, setSentTo] = useState<{ email: string; wait: Failure } | null>(null)
  const sameAgain = sentTo !== null && sentTo.email === email.trim().toLowerCase()
  const wait = useCountdown(failure ?? (sameAgain ? sentTo.wait : null))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || wait > 0) return
    setBusy(true)
    setFailure(null)
    setSentTo(null)
    try {
      const body = { email: email.trim(), botToken: await botToken('changePassword') }
      await plainCall('POST', VISITOR_CALLS['recovery.forgot'], { body })
      setSentTo({ email: email.trim().toLowerCase(), wait: waiting() })
    } catch (error) {
      if (!isFailure(error)) throw error
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const badEmail = failure?.body.errors?.some(({ path }) => path === 'email') === true
  return (
    <AuthCard title={t('forgot.title')} lead={t('forgot.lead')}>
      {sentTo && <Notice tone="green">{t('forgot.sent')}</Notice>}
      {failure && !badEmail && <FailureNotice failure={failure} />}
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap={16}>
          <TextInput
            type="email"
            label={t('forgot.email')}
            name="email"
            autoComplete="email"
            spellCheck={false}
            dir="ltr"
            required
            withAsterisk={false}
            autoFocus
            maxLength={254}
            value={email}
            error={badEmail ? t('forgot.badEmail') : undefined}
            onChange={(event) => {
              setEmail(event.currentTarget.value)
              setFailure(null)
            }}
          />
          <Button type="submit" fullWidth size="md" loading={busy} disabled={wait > 0}>
            {wait > 0 ? t('forgot.wait', { time: clockText(wait) }) : t('forgot.submit')}
          </Button>
          <Anchor component={Link} to={{ pathname: '/auth/login', search }} fz="sm" ta="center">
            {t('forgot.back')}
          </Anchor>
        </Stack>
      </form>
    </AuthCard>
  )
}

/** The wait that the server would tell of, known before it is asked. */
function waiting(): Failure {
  const body = { status: 'Error' as const, code: 'auth.wait_next_request', message: '' }
  return new CallFailure(429, body, WAIT_SECONDS)
}
