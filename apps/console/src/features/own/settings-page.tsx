import { Page } from '../../kit/page/page.tsx'
import { PageTabs } from '../../kit/page/tabs.tsx'
import { PasswordTab } from './password-tab.tsx'
import { PreferencesTab } from './preferences-tab.tsx'
import { ProfileTab } from './profile/profile-tab.tsx'
import { SecurityTab } from './security/security-tab.tsx'
import { SessionsTab } from './sessions/sessions-tab.tsx'
import { TokensTab } from './tokens/tokens-tab.tsx'
import { useT } from './text.ts'

/** One's own account: who one is, how one comes in, where one is signed in, and what programs may do in one's name. */
export function SettingsPage() {
  const t = useT()
  return (
    <Page title={t('title')}>
      <PageTabs
        tabs={[
          { id: 'profile', label: t('tabs.profile'), content: <ProfileTab /> },
          { id: 'password', label: t('tabs.password'), content: <PasswordTab /> },
          { id: 'security', label: t('tabs.security'), content: <SecurityTab /> },
          { id: 'sessions', label: t('tabs.sessions'), content: <SessionsTab /> },
          { id: 'preferences', label: t('tabs.preferences'), content: <PreferencesTab /> },
          { id: 'tokens', label: t('tabs.tokens'), content: <TokensTab /> },
        ]}
      />
    </Page>
  )
}
