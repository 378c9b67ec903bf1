import { useNavigate } from 'react-router'
import { campaigns } from '@weft/contract/campaigns/api'
import type { Campaign } from '@weft/contract/campaigns/schema'
import { RecordActions } from '../../../kit/actions/record-actions.tsx'
import { Freshness } from '../../../kit/progress/progress.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { PageTabs } from '../../../kit/page/tabs.tsx'
import { Load } from '../../../kit/states/states.tsx'
import { StatusBadge } from '../../../kit/status/status-badge.tsx'
import { useRead } from '../../../lib/query.ts'
import { campaignActions, primaryActions } from '../actions.ts'
import { CAMPAIGNS } from '../paths.ts'
import { useT } from '../text.ts'
import { DecisionDialog } from './decision-dialog.tsx'
import { ItemDrawer } from './item-drawer.tsx'
import { ItemsTab } from './items-tab.tsx'
import { NeedsPerson } from './needs-person.tsx'
import { Notices } from './notices.tsx'
import { ProgressPanel } from './progress-panel.tsx'
import { ResourcesTab } from './resources-tab.tsx'
import { SettingsTab } from './settings-tab.tsx'
import { OwnCampaign } from './wait-reasons.tsx'
import { StreamTab } from './stream-tab.tsx'

/** A campaign as it runs. */
export function CampaignMonitor({ id }: { id: string }) {
  const record = useRead(campaigns.get, { id })
  return <Load of={record}>{(campaign) => <Monitor campaign={campaign} at={record.dataUpdatedAt} />}</Load>
}

function Monitor({ campaign, at }: { campaign: Campaign; at: number }) {
  const t = useT()
  const navigate = useNavigate()
  return (
    <Page
      title={campaign.title}
      back={CAMPAIGNS}
      status={
        <>
          <StatusBadge value={campaign.state} feature="campaigns" field="state" />
          <Freshness at={at} />
        </>
      }
      actions={
        <RecordActions
          feature="campaigns"
          of={campaign}
          name={campaign.title}
          actions={campaignActions.filter(({ id }) => id !== 'open')}
          primary={primaryActions(campaign)}
          onDone={({ id }) => {
            if (id === 'delete') void navigate(CAMPAIGNS)
          }}
        />
      }
    >
      <OwnCampaign value={campaign.title}>
        <Notices campaign={campaign} />
        {campaign.total > 0 && <ProgressPanel campaign={campaign} />}
        <NeedsPerson campaign={campaign} />
        <PageTabs
          tabs={[
            { id: 'items', label: t('tabs.items'), content: <ItemsTab campaign={campaign} /> },
            { id: 'stream', label: t('tabs.stream'), content: <StreamTab campaign={campaign} /> },
            { id: 'resources', label: t('tabs.resources'), content: <ResourcesTab campaign={campaign} /> },
            { id: 'settings', label: t('tabs.settings'), content: <SettingsTab campaign={campaign} /> },
          ]}
        />
        <ItemDrawer />
      </OwnCampaign>
      <DecisionDialog />
    </Page>
  )
}
