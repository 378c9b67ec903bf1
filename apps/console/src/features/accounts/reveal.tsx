import { Alert, Button, Group, Modal, PasswordInput, SegmentedControl } from '@mantine/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { accounts } from '@weft/contract/accounts/api'
import type { Account } from '@weft/contract/accounts/schema'
import { failureParams } from '../../kit/toast/toast.ts'
import { CopyField } from '../../kit/values/values.tsx'
import { call } from '../../lib/api.ts'
import { isFailure } from '../../lib/failure.ts'
import { errorText, fieldLabel } from '../../lib/i18n/names.ts'
import { text, useKitText } from '../../lib/i18n/texts.ts'
import classes from './accounts.module.css'
import { SECRETS, revealing, type Secret } from './revealing.ts'
import { useT } from './text.ts'

/** How long a secret stays in sight. */
const SHOWN_MS = 60_000

/** Shows a secret to who gives their own password; one stands on the page of accounts. */
export function RevealDialog() {
  const t = useT()
  const account = useSyncExternalStore(revealing.subscribe, revealing.get)
  return (
    <Modal
      closeButtonProps={{ 'aria-label': text('kit:common.close') }}
      opened={account !== null}
      onClose={() => revealing.set(null)}
      title={account ? t('reveal.title', { name: account.username }) : ''}
    >
      {account && <Reveal key={account.id} account={account} />}
    </Modal>
  )
}

function Reveal({ account }: { account: Account }) {
  const t = useT()
  const [values, setValues] = useState<string[] | null>(null)
  const choices = SECRETS.filter((secret) => account[secret].set)
  const [secret, setSecret] = useState<Secret>(choices[0] ?? 'password')
  useEffect(() => {
    if (!values) return undefined
    const timer = setTimeout(() => revealing.set(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [values])
  if (values) return <Revealed secret={secret} values={values} />
  return (
    <>
      <p>{t('reveal.text')}</p>
      {choices.length > 1 && (
        <SegmentedControl
          fullWidth
          mb={16}
          aria-label={t('reveal.which')}
          value={secret}
          onChange={(value) => setSecret(SECRETS.find((one) => one === value) ?? 'password')}
          data={choices.map((value) => ({ value, label: fieldLabel('accounts', value) }))}
        />
      )}
      <Ask account={account} secret={secret} onShown={setValues} />
    </>
  )
}

function Ask(props: { account: Account; secret: Secret; onShown: (values: string[]) => void }) {
  const t = useT()
  const kit = useKitText()
  const [ownPassword, setOwnPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    setError(null)
    try {
      const { value } = await call(accounts.reveal, {
        id: props.account.id,
        secret: props.secret,
        ownPassword,
      })
      props.onShown(Array.isArray(value) ? value : [value])
    } catch (thrown) {
      setError(reasonOf(thrown, t('reveal.wrongPassword')))
    } finally {
      setBusy(false)
      setOwnPassword('')
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <PasswordInput
        label={t('reveal.ownPassword')}
        value={ownPassword}
        onChange={(event) => setOwnPassword(event.currentTarget.value)}
        error={error}
        autoComplete="current-password"
        required
        dir="ltr"
        data-autofocus
        visibilityToggleButtonProps={{ 'aria-label': kit('form.secretShow') }}
      />
      <Group justify="flex-end" mt={24} gap={8}>
        <Button variant="default" onClick={() => revealing.set(null)}>
          {kit('common.cancel')}
        </Button>
        <Button type="submit" loading={busy} disabled={ownPassword === ''}>
          {t('reveal.show')}
        </Button>
      </Group>
    </form>
  )
}

function reasonOf(thrown: unknown, wrongPassword: string): string {
  if (!isFailure(thrown)) throw thrown
  const { code, params, message, errors } = thrown.body
  if (errors?.some(({ path }) => path === 'ownPassword')) return wrongPassword
  return errorText(code, failureParams(params, thrown.retryAfterSeconds), message)
}

function Revealed({ secret, values }: { secret: Secret; values: string[] }) {
  const t = useT()
  const kit = useKitText()
  return (
    <>
      <p>
        <strong>{fieldLabel('accounts', secret)}</strong>
      </p>
      <div className={classes.values}>
        {values.map((value) => (
          <CopyField key={value} value={value} />
        ))}
      </div>
      <Alert color="yellow" mt={16}>
        {t('reveal.audited')}
      </Alert>
      <Group justify="flex-end" mt={24}>
        <Button data-autofocus onClick={() => revealing.set(null)}>
          {kit('common.close')}
        </Button>
      </Group>
    </>
  )
}
