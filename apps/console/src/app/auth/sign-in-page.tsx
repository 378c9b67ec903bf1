import { Checkbox } from '@mantine/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { Navigate, useLocation, useSearchParams } from 'react-router'
import { config } from '../../lib/config.ts'
import type { Failure } from '../../lib/failure.ts'
import { useAppText } from '../../lib/i18n/texts.ts'
import { safeNextUrl } from '../../lib/navigation/next-url.ts'
import { signedIn } from '../../lib/session/session.ts'
import { isRemembered } from '../../lib/session/state.ts'
import { lastEnd, workbench } from '../boot.ts'
import { AuthCard } from './auth-card.tsx'
import { keepReturnPath } from './enter.ts'
import { FailureNotice, Notice } from './notice.tsx'
import { PasswordForm } from './password-form.tsx'
import { ProviderButtons } from './provider-buttons.tsx'
import { readSentHere } from './sent-here.ts'
import { useReturnFromProvider } from './use-return-from-provider.ts'

/** Signs in with username and password, or by a provider. */
export function SignInPage() {
  const t = useAppText()
  const [search] = useSearchParams()
  const nextUrl = search.get('nextUrl')
  const { authModes, ssoProviders } = useSyncExternalStore(config.subscribe, config.get)
  const user = useSyncExternalStore(signedIn.subscribe, signedIn.get)
  const bench = useSyncExternalStore(workbench.subscribe, workbench.get)
  const [remember, setRemember] = useState(isRemembered)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const returned = useReturnFromProvider(nextUrl)
  useEffect(() => keepReturnPath(nextUrl), [nextUrl])

  if (returned.busy) return <AuthCard title={t('signIn.title')} lead={t('signIn.entering')} />
  if (user && bench && !busy)
    return <Navigate to={safeNextUrl(nextUrl, window.location.origin) ?? '/'} replace />

  const withPassword = authModes.includes('LOCAL') || ssoProviders.length === 0
  const box = (
    <Checkbox
      label={t('signIn.remember')}
      checked={remember}
      onChange={(event) => setRemember(event.currentTarget.checked)}
    />
  )
  return (
    <AuthCard title={t('signIn.title')} lead={t('signIn.lead')}>
      <Notices failure={failure ?? returned.failure} />
      {withPassword && (
        <PasswordForm
          nextUrl={nextUrl}
          remember={remember}
          rememberBox={box}
          busy={busy}
          onBusy={setBusy}
          failure={failure}
          onFailure={setFailure}
        />
      )}
      <ProviderButtons
        buttons={ssoProviders}
        nextUrl={nextUrl}
        remember={remember}
        {...(withPassword ? {} : { rememberBox: box })}
      />
    </AuthCard>
  )
}

/** Why somebody is here, or what went wrong. */
function Notices({ failure }: { failure: Failure | null }) {
  const t = useAppText()
  const { notice } = readSentHere(useLocation().state)
  const { needsSetUp } = useSyncExternalStore(config.subscribe, config.get)
  const ended = useSyncExternalStore(lastEnd.subscribe, lastEnd.get)
  if (failure) return <FailureNotice failure={failure} />
  if (needsSetUp) return <Notice>{t('signIn.needsSetUp')}</Notice>
  if (notice === 'passwordSet') return <Notice tone="green">{t('signIn.passwordSet')}</Notice>
  if (notice === 'ticketEnded') return <Notice>{t('signIn.ticketEnded')}</Notice>
  if (ended === 'expired') return <Notice>{t('signIn.ended')}</Notice>
  return null
}
