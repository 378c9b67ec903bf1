import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useEffect, useState, type FormEvent } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { botToken } from '../../lib/bot-check.ts'
import { isFailure, type Failure } from '../../lib/failure.ts'
import { useAppText } from '../../lib/i18n/texts.ts'
import { plainCall } from '../../lib/plain-call.ts'
import { VISITOR_CALLS } from '../../lib/session/calls.ts'
import { signedIn, signOut } from '../../lib/session/session.ts'
import { AuthCard } from './auth-card.tsx'
import {
  isChosen,
  NewPasswordFields,
  type ChosenPassword,
} from '../../kit/new-password/new-password-fields.tsx'
import { FailureNotice } from './notice.tsx'

/** What is wrong with a link, by the server's code; each has words of its own and a way on. */
const LINK_WORDS = {
  'one_time.wrong': 'wrong',
  'one_time.used': 'used',
  'one_time.expired': 'expired',
} as const

function linkWords(failure: Failure | null) {
  const code = failure?.body.code
  return Object.entries(LINK_WORDS).find(([known]) => known === code)?.[1]
}

/** Sets a new password with the one-time link of a mail or an invitation. */
export function ResetPasswordPage() {
  const { hash } = useLocation()
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? ''
  return <WithLink key={token} token={token} />
}

function WithLink({ token }: { token: string }) {
  const t = useAppText()
  const [good, setGood] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  useEffect(() => {
    let here = true
    if (token === '') return undefined
    plainCall('POST', VISITOR_CALLS['recovery.check'], { body: { token } }).then(
      () => here && setGood(true),
      (error: unknown) => {
        if (!isFailure(error)) throw error
        if (here) setFailure(error)
      },
    )
    return () => {
      here = false
    }
  }, [token])
  const bad = token === '' ? 'incomplete' : linkWords(failure)
  if (bad) return <BadLink why={bad} />
  if (good) return <Choose token={token} onBadLink={setFailure} />
  return (
    <AuthCard title={t('reset.title')} lead={failure ? '' : t('reset.checking')}>
      {failure && (
        <>
          <FailureNotice failure={failure} />
          <Button variant="default" fullWidth onClick={() => location.reload()}>
            {t('errorPages.reload')}
          </Button>
        </>
      )}
    </AuthCard>
  )
}

function BadLink({ why }: { why: 'incomplete' | 'wrong' | 'used' | 'expired' }) {
  const t = useAppText()
  return (
    <AuthCard title={t(`reset.${why}.title`)} lead={t(`reset.${why}.text`)}>
      <Stack gap={16}>
        <Button component={Link} to="/auth/forgot-password" fullWidth size="md">
          {t('reset.another')}
        </Button>
        <Anchor component={Link} to="/auth/login" fz="sm" ta="center">
          {t('forgot.back')}
        </Anchor>
      </Stack>
    </AuthCard>
  )
}

function Choose({ token, onBadLink }: { token: string; onBadLink: (failure: Failure) => void }) {
  const t = useAppText()
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<ChosenPassword>({ first: '', again: '' })
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    setFailure(null)
    if (busy || !isChosen(chosen)) return
    setBusy(true)
    try {
      const body = {
        token,
        newPassword: chosen.first,
        confirmPassword: chosen.again,
        botToken: await botToken('changePassword'),
      }
      await plainCall('POST', VISITOR_CALLS['recovery.reset'], { body })
      // Whoever was signed in here: the server has ended that session, or it is somebody else's.
      if (signedIn.get()) await signOut()
      void navigate('/auth/login', { replace: true, state: { notice: 'passwordSet' } })
    } catch (error) {
      if (!isFailure(error)) throw error
      if (linkWords(error)) onBadLink(error)
      else setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <AuthCard title={t('reset.title')} lead={t('reset.lead')}>
      {failure && !failure.body.errors?.length && <FailureNotice failure={failure} />}
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap={16}>
          <NewPasswordFields
            value={chosen}
            onChange={setChosen}
            tried={tried}
            failure={failure}
            labels={{ first: t('reset.newPassword'), again: t('reset.confirmPassword') }}
            field="newPassword"
            autoFocus
          />
          <Text c="dimmed" fz="xs">
            {t('reset.ends')}
          </Text>
          <Button type="submit" fullWidth size="md" loading={busy}>
            {t('reset.submit')}
          </Button>
        </Stack>
      </form>
    </AuthCard>
  )
}
