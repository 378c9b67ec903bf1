import { Button, Stack } from '@mantine/core'
import { useEffect, useState, type ReactNode } from 'react'
import type { SignedIn } from '@weft/contract/access/schema'
import AuthenticatorSetup from '../../../kit/two-steps/authenticator-setup.tsx'
import { RecoveryCodes } from '../../../kit/two-steps/recovery-codes.tsx'
import { failureParams } from '../../../kit/toast/toast.ts'
import type { Failure } from '../../../lib/failure.ts'
import { errorText } from '../../../lib/i18n/names.ts'
import { useAppText } from '../../../lib/i18n/texts.ts'
import { plainCall } from '../../../lib/plain-call.ts'
import { VISITOR_CALLS } from '../../../lib/session/calls.ts'
import { useLatest } from '../../../lib/use-latest.ts'
import { AuthCard } from '../auth-card.tsx'
import { FailureNotice } from '../notice.tsx'
import type { OpenStep } from './step.ts'

interface Enrolment {
  secret: string
  otpauthUrl: string
}
type Confirmed = SignedIn & { recoveryCodes: string[] }

/** Sets the second step up in the midst of a sign-in, because a role of the person asks for one. */
export default function Enrol(props: {
  step: OpenStep
  onFinish: (answer: SignedIn) => Promise<void>
  onFailure: (error: unknown) => Failure | null
  back: ReactNode
}) {
  const t = useAppText()
  const { ticket } = props.step
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [confirmed, setConfirmed] = useState<Confirmed | null>(null)
  const latest = useLatest(props)
  useEffect(() => {
    let here = true
    plainCall<Enrolment>('POST', VISITOR_CALLS['twoSteps.nextEnrol'], { body: { ticket } }).then(
      (answer) => here && setEnrolment(answer),
      (error: unknown) => here && setFailure(latest.current.onFailure(error)),
    )
    return () => {
      here = false
    }
  }, [ticket, latest])
  const confirm = async (code: string) => {
    setFailure(null)
    try {
      const body = { ticket, code }
      setConfirmed(await plainCall<Confirmed>('POST', VISITOR_CALLS['twoSteps.nextConfirm'], { body }))
    } catch (error) {
      setFailure(props.onFailure(error))
    }
  }
  if (confirmed)
    return (
      <AuthCard title={t('twoSteps.codes.title')} lead={t('twoSteps.codes.lead')}>
        <Stack gap={16}>
          <div>
            <RecoveryCodes codes={confirmed.recoveryCodes} account={confirmed.user.username} />
          </div>
          <Button fullWidth size="md" onClick={() => void props.onFinish(confirmed)}>
            {t('twoSteps.codes.go')}
          </Button>
        </Stack>
      </AuthCard>
    )
  return (
    <AuthCard title={t('twoSteps.enrol.title')} lead={t('twoSteps.enrol.lead')}>
      {failure && !enrolment && <FailureNotice failure={failure} />}
      {enrolment && (
        <AuthenticatorSetup
          enrolment={enrolment}
          onCode={confirm}
          error={failure && wordsOf(failure)}
          cancel={props.back}
        />
      )}
    </AuthCard>
  )
}

function wordsOf({ body, retryAfterSeconds }: Failure): string {
  return errorText(body.code, failureParams(body.params, retryAfterSeconds), body.message)
}
