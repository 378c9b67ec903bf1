import { Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { Link } from 'react-router'
import { users } from '@weft/contract/users/api'
import {
  isChosen,
  NewPasswordFields,
  type ChosenPassword,
} from '../../kit/new-password/new-password-fields.tsx'
import { Section } from '../../kit/page/page.tsx'
import { LinesSkeleton, Load } from '../../kit/states/states.tsx'
import { UsernameHint } from '../../kit/proof/username-hint.tsx'
import { failureParams, toast } from '../../kit/toast/toast.ts'
import { call } from '../../lib/api.ts'
import { isFailure, type Failure } from '../../lib/failure.ts'
import { errorText } from '../../lib/i18n/names.ts'
import { text } from '../../lib/i18n/texts.ts'
import { invalidateFeatures, useRead } from '../../lib/query.ts'
import { useT } from './text.ts'
import classes from './own.module.css'

const EMPTY: ChosenPassword = { first: '', again: '' }

/** Sets a new password; every other session ends. */
export function PasswordTab() {
  const t = useT()
  const profile = useRead(users.profile, {})
  return (
    <div className={classes.column}>
      <Section title={t('password.title')}>
        <Load of={profile} part skeleton={<LinesSkeleton lines={4} />}>
          {({ hasPassword }) => (hasPassword ? <ChangeForm /> : <None />)}
        </Load>
      </Section>
    </div>
  )
}

/** For who signs in with a provider. */
function None() {
  const t = useT()
  return (
    <>
      <Text fz="sm" mb={12}>
        {t('password.none')}
      </Text>
      <Anchor component={Link} to="/auth/forgot-password" fz="sm">
        {t('password.byLink')}
      </Anchor>
    </>
  )
}

function ChangeForm() {
  const t = useT()
  const [current, setCurrent] = useState('')
  const [chosen, setChosen] = useState(EMPTY)
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const wrongCurrent = failure?.body.errors?.some(({ path }) => path === 'currentPassword') === true
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    setFailure(null)
    if (busy || current === '' || !isChosen(chosen)) return
    setBusy(true)
    try {
      const { sessionsEnded } = await call(users.changePassword, {
        currentPassword: current,
        newPassword: chosen.first,
        confirmPassword: chosen.again,
      })
      setCurrent('')
      setChosen(EMPTY)
      setTried(false)
      void invalidateFeatures(['access', 'users'])
      toast.success(t('password.changed', { count: sessionsEnded }))
    } catch (error) {
      if (!isFailure(error)) throw error
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const missing = tried && current === ''
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap={16}>
        {failure && !failure.body.errors?.length && (
          <div className={classes.failure} role="alert">
            {errorText(
              failure.body.code,
              failureParams(failure.body.params, failure.retryAfterSeconds),
              failure.body.message,
            )}
          </div>
        )}
        <UsernameHint />
        <PasswordInput
          label={t('password.current')}
          name="current"
          autoComplete="current-password"
          dir="ltr"
          required
          withAsterisk={false}
          maxLength={256}
          value={current}
          error={
            missing ? text('errors:fields.required') : wrongCurrent ? t('password.wrongCurrent') : undefined
          }
          aria-invalid={missing || wrongCurrent}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': text('kit:form.secretShow') }}
        />
        <NewPasswordFields
          value={chosen}
          onChange={setChosen}
          tried={tried}
          failure={failure}
          labels={{ first: t('password.new'), again: t('password.confirm') }}
          field="newPassword"
        />
        <Text fz="xs" c="dimmed">
          {t('password.rules')}
        </Text>
        <div>
          <Button type="submit" loading={busy}>
            {t('password.submit')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
