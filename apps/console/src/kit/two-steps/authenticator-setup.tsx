import { Button, Stack, Text } from '@mantine/core'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useAppText } from '../../lib/i18n/texts.ts'
import { CopyIcon } from '../values/values.tsx'
import { CodeInput } from './code-input.tsx'
import { QrCode } from './qr-code.tsx'
import classes from './two-steps.module.css'

/** Sets an authenticator app up: a QR code to scan, the same as text, and a first code to show that it works. */
export default function AuthenticatorSetup(props: {
  enrolment: { secret: string; otpauthUrl: string }
  onCode: (code: string) => Promise<void>
  error: string | null
  cancel?: ReactNode
}) {
  const t = useAppText()
  const { secret, otpauthUrl } = props.enrolment
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const send = async (value: string) => {
    if (busy) return
    setBusy(true)
    try {
      await props.onCode(value)
    } finally {
      setCode('')
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    void send(code)
  }
  return (
    <form onSubmit={submit}>
      <Stack gap={16}>
        <Text fz="sm" c="dimmed">
          {t('twoSteps.enrol.scan')}
        </Text>
        <QrCode text={otpauthUrl} label={t('twoSteps.enrol.qr')} />
        <div>
          <Text fz="sm" c="dimmed" mb={4}>
            {t('twoSteps.enrol.byHand')}
          </Text>
          <div className={classes.secret} dir="ltr">
            <code>{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
            <CopyIcon value={secret} label={t('twoSteps.codes.copy')} />
          </div>
        </div>
        <CodeInput
          label={t('twoSteps.enrol.code')}
          value={code}
          onChange={setCode}
          onComplete={(value) => void send(value)}
          error={props.error}
        />
        <Button type="submit" fullWidth size="md" loading={busy} disabled={code.length < 6}>
          {t('twoSteps.enrol.submit')}
        </Button>
        {props.cancel}
      </Stack>
    </form>
  )
}
