import { Anchor, Button, Stack } from '@mantine/core'
import { useState, type FormEvent, type ReactNode } from 'react'
import type { SignedIn } from '@weft/contract/access/schema'
import { CodeInput } from '../../../kit/two-steps/code-input.tsx'
import type { Failure } from '../../../lib/failure.ts'
import { useAppText } from '../../../lib/i18n/texts.ts'
import { plainCall } from '../../../lib/plain-call.ts'
import { VISITOR_CALLS } from '../../../lib/session/calls.ts'
import { AuthCard } from '../auth-card.tsx'
import { FailureNotice, Notice } from '../notice.tsx'
import { useCountdown } from '../use-countdown.ts'
import type { Method, OpenStep } from './step.ts'
import classes from '../auth.module.css'
import { NameInput } from '../name-input.tsx'

/** Asks for the second step, in one of the ways that the person has. */
export function Challenge(props: {
  step: OpenStep
  onFinish: (answer: SignedIn) => Promise<void>
  onFailure: (error: unknown) => Failure | null
  back: ReactNode
}) {
  const t = useAppText()
  const { ticket, methods } = props.step
  const [method, setMethod] = useState<Method>(methods[0] ?? 'recovery')
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [noPasskey, setNoPasskey] = useState<'stopped' | 'impossible' | null>(null)
  const wait = useCountdown(failure)

  const send = async (shown: { code: string } | { passkey: unknown }) => {
    if (busy || wait > 0) return
    setBusy(true)
    setFailure(null)
    try {
      const body = { ticket, method, ...shown }
      await props.onFinish(await plainCall<SignedIn>('POST', VISITOR_CALLS['twoSteps.next'], { body }))
    } catch (error) {
      setFailure(props.onFailure(error))
      setCode('')
    } finally {
      setBusy(false)
    }
  }
  const byPasskey = async () => {
    setNoPasskey(null)
    setFailure(null)
    try {
      const [{ options }, { askPasskey }] = await Promise.all([
        plainCall<{ options: object }>('POST', VISITOR_CALLS['twoSteps.passkeyOptions'], {
          body: { ticket },
        }),
        import('../../../kit/two-steps/passkey.ts'),
      ])
      const passkey = await askPasskey(options)
      if (typeof passkey !== 'string') await send({ passkey })
      else setNoPasskey(passkey === 'impossible' ? passkey : 'stopped')
    } catch (error) {
      setFailure(props.onFailure(error))
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (method === 'passkey') void byPasskey()
    else if (code.trim() !== '') void send({ code: code.trim() })
  }
  const words = method === 'passkey' ? t('twoSteps.passkey.submit') : t('twoSteps.submit')
  return (
    <AuthCard title={t('twoSteps.title')} lead={t(`twoSteps.${method}.lead`)}>
      {failure && <FailureNotice failure={failure} />}
      {noPasskey && <Notice>{t(`twoSteps.passkey.${noPasskey}`)}</Notice>}
      <form onSubmit={submit}>
        <Stack gap={16}>
          {method === 'totp' && (
            <CodeInput
              label={t('twoSteps.totp.label')}
              value={code}
              onChange={setCode}
              onComplete={(value) => void send({ code: value })}
              error={null}
              autoFocus
            />
          )}
          {method === 'recovery' && (
            <NameInput
              label={t('twoSteps.recovery.label')}
              name="recovery-code"
              autoComplete="off"
              autoFocus
              maxLength={60}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
          )}
          <Button type="submit" fullWidth size="md" loading={busy} disabled={wait > 0}>
            {wait > 0 ? t('signIn.wait', { seconds: wait }) : words}
          </Button>
        </Stack>
      </form>
      <div className={classes.others} style={{ marginBlockStart: 20 }}>
        {methods
          .filter((other) => other !== method)
          .map((other) => (
            <Anchor
              key={other}
              component="button"
              type="button"
              fz="sm"
              onClick={() => {
                setMethod(other)
                setCode('')
                setFailure(null)
                setNoPasskey(null)
              }}
            >
              {t(`twoSteps.${other}.use`)}
            </Anchor>
          ))}
        {props.back}
      </div>
    </AuthCard>
  )
}
