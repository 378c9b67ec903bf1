import { PageTabs } from '../../kit/page/tabs.tsx'
import { Page } from '../../kit/page/page.tsx'
import { MailServerTab } from '../mail/server-tab.tsx'
import { OutboxTab } from '../mail/outbox-tab.tsx'
import { ProvidersTab } from '../sso/providers-tab.tsx'
import { BotCheckTab } from './bot-check/bot-check-tab.tsx'
import { MaintenanceTab } from './maintenance/maintenance-tab.tsx'
import { SettingsTab } from './settings/settings-tab.tsx'
import { useT } from './text.ts'

/** System Config: everything that an administrator sets without a restart. */
export function SystemPage() {
  const t = useT()
  return (
    <Page title={t('title')}>
      <PageTabs
        tabs={[
          { id: 'settings', label: t('tabs.settings'), content: <SettingsTab /> },
          { id: 'maintenance', label: t('tabs.maintenance'), content: <MaintenanceTab /> },
          { id: 'mail', label: t('tabs.mail'), content: <MailServerTab /> },
          { id: 'outbox', label: t('tabs.outbox'), content: <OutboxTab /> },
          { id: 'bot-check', label: t('tabs.botCheck'), content: <BotCheckTab /> },
          { id: 'providers', label: t('tabs.providers'), content: <ProvidersTab /> },
        ]}
      />
    </Page>
  )
}
