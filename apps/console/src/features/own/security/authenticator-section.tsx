import { Button, Modal, Text } from '@mantine/core'
import { Suspense, lazy, useState } from 'react'
import { twoSteps } from '@weft/contract/access/two-steps/api'
import type { Enrolment, TwoSteps } from '@weft/contract/access/two-steps/schema'
import { useChange } from '../../../kit/actions/use-change.ts'
import { confirm } from '../../../kit/confirm/confirm.ts'
import { Section } from '../../../kit/page/page.tsx'
import { StatusBadge } from '../../../kit/status/status-badge.tsx'
import { LinesSkeleton } from '../../../kit/states/states.tsx'
import { failureParams, toast } from '../../../kit/toast/toast.ts'
import { Time } from '../../../kit/values/values.tsx'
import { call } from '../../../lib/api.ts'
import { isFailure } from '../../../lib/failure.ts'
import { errorText } from '../../../lib/i18n/names.ts'
import { text } from '../../../lib/i18n/texts.ts'
import { invalidateFeatures } from '../../../lib/query.ts'
import { useT } from '../text.ts'
import { freshCodes } from './fresh-codes.ts'
import classes from '../own.module.css'

// What draws QR codes comes when one is wanted.
const AuthenticatorSetup = lazy(() => import('../../../kit/two-steps/authenticator-setup.tsx'))

/** The authenticator app: set up, or turned off. */
export function AuthenticatorSection({ state }: { state: TwoSteps }) {
  const t = useT()
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null)
  const [error, setError] = useState<string | null>(null)
  const enrol = useChange(twoSteps.enrol, {
    onDone: (made) => {
      setError(null)
      setEnrolment(made)
    },
  })
  const turnOff = useChange(twoSteps.turnOff, {
    done: t('authenticator.turnedOff'),
    invalidates: ['passkeys'],
  })
  const confirmCode = async (code: string) => {
    setError(null)
    try {
      const { recoveryCodes } = await call(twoSteps.confirm, { code })
      setEnrolment(null)
      freshCodes.set(recoveryCodes)
      toast.success(t('authenticator.turnedOn'))
      void invalidateFeatures(['twoSteps'])
    } catch (thrown) {
      if (!isFailure(thrown)) throw thrown
      const { code: failed, params, message } = thrown.body
      setError(errorText(failed, failureParams(params, thrown.retryAfterSeconds), message))
    }
  }
  const askTurnOff = async () => {
    const words = { text: t('authenticator.turnOffText'), confirmLabel: t('authenticator.turnOff') }
    if (await confirm(words)) turnOff.mutate({})
  }
  const needed = state.required && state.passkeys === 0
  return (
    <Section
      title={t('authenticator.title')}
      aside={
        <StatusBadge
          value={state.totp ? 'on' : 'off'}
          tone={state.totp ? 'green' : 'neutral'}
          text={state.totp ? t('authenticator.on') : t('authenticator.off')}
        />
      }
    >
      <div className={classes.state}>
        <div className={classes.main}>
          <span>{t('authenticator.text')}</span>
          {state.totp && (
            <span className={classes.dim}>
              {t('authenticator.since')} <Time at={state.totpSince} />
            </span>
          )}
          {state.required && (
            <Text fz="xs" c="dimmed">
              {t('authenticator.required')}
            </Text>
          )}
        </div>
        {state.totp ? (
          <Button
            variant="default"
            disabled={needed}
            loading={turnOff.isPending}
            onClick={() => void askTurnOff()}
          >
            {t('authenticator.turnOff')}
          </Button>
        ) : (
          <Button loading={enrol.isPending} onClick={() => enrol.mutate({})}>
            {t('authenticator.setUp')}
          </Button>
        )}
      </div>
      <Modal
        opened={enrolment !== null}
        onClose={() => setEnrolment(null)}
        title={t('authenticator.setUp')}
        size={420}
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': text('kit:common.close') }}
      >
        <Suspense fallback={<LinesSkeleton lines={6} />}>
          {enrolment && <AuthenticatorSetup enrolment={enrolment} onCode={confirmCode} error={error} />}
        </Suspense>
      </Modal>
    </Section>
  )
}
