import { Button } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router'
import { campaigns } from '@weft/contract/campaigns/api'
import type { Campaign } from '@weft/contract/campaigns/schema'
import { RecordActions } from '../../../kit/actions/record-actions.tsx'
import { FormBody } from '../../../kit/form/form.tsx'
import { useResourceForm } from '../../../kit/form/use-resource-form.ts'
import { Page } from '../../../kit/page/page.tsx'
import { Load, NoRights } from '../../../kit/states/states.tsx'
import { StatusBadge } from '../../../kit/status/status-badge.tsx'
import { optionLabel } from '../../../lib/i18n/names.ts'
import { useRead } from '../../../lib/query.ts'
import { campaignActions } from '../actions.ts'
import { CAMPAIGNS, campaignPath, editorPath } from '../paths.ts'
import { useT } from '../text.ts'
import { BasicsSection } from './basics-section.tsx'
import classes from './editor.module.css'
import { ErrorPolicySection, PacingSection } from './limits-sections.tsx'
import { PairingSection } from './pairing-section.tsx'
import { PlanSection } from './plan-section.tsx'
import { PlanSummary } from './plan-summary.tsx'
import { ResourcesSection } from './resources-section.tsx'
import { ScheduleSection } from './schedule-section.tsx'
import { usePlan } from './use-plan.ts'
import { WorkflowSection } from './workflow-section.tsx'

/** Makes a campaign ready: what it does, with what, when, how fast, and what a start would begin. */
export function CampaignEditor({ id }: { id: string }) {
  const record = useRead(campaigns.get, { id })
  return (
    <Load of={record}>
      {(campaign) =>
        campaign.can.includes('update') ? (
          <Editor key={campaign.id} campaign={campaign} />
        ) : (
          <Page title={campaign.title} back={campaignPath(campaign.id)}>
            <NoRights action="UPDATE" subject="CAMPAIGN" />
          </Page>
        )
      }
    </Load>
  )
}

function Editor({ campaign }: { campaign: Campaign }) {
  const t = useT()
  const navigate = useNavigate()
  const form = useResourceForm(campaigns, {
    id: campaign.id,
    closeTo: editorPath(campaign.id),
    onDone: () => {},
  })
  // What has begun is pinned: only what touches no item that was started may still change.
  const frozen = campaign.state !== 'draft' && campaign.state !== 'scheduled'
  const plan = usePlan(campaign, !frozen)
  return (
    <Page
      title={campaign.title}
      back={CAMPAIGNS}
      status={<StatusBadge value={campaign.state} feature="campaigns" field="state" />}
      actions={
        <>
          <Button
            component={Link}
            to={campaignPath(campaign.id)}
            variant="default"
            leftSection={<IconChartBar size={16} aria-hidden />}
          >
            {t('editor.monitor')}
          </Button>
          <RecordActions
            feature="campaigns"
            of={campaign}
            name={campaign.title}
            actions={campaignActions.filter(({ id }) => !['open', 'edit', 'start'].includes(id))}
            onDone={({ id }) => {
              if (id === 'delete') void navigate(CAMPAIGNS)
            }}
          />
        </>
      }
    >
      {frozen && (
        <p className={classes.notice} data-tone="amber">
          {t('editor.frozen', { state: optionLabel('campaigns', 'state', campaign.state) })}
        </p>
      )}
      <div className={classes.layout} data-single={frozen || undefined}>
        <div className={classes.main}>
          <FormBody form={form} cancel={false}>
            <BasicsSection frozen={frozen} />
            <WorkflowSection campaign={campaign} disabled={frozen} />
            <ResourcesSection campaign={campaign} disabled={frozen} />
            <PairingSection campaign={campaign} disabled={frozen} />
            <ScheduleSection disabled={frozen} />
            <PacingSection />
            <ErrorPolicySection />
            {!frozen && <PlanSection plan={plan} />}
          </FormBody>
        </div>
        {!frozen && (
          <div className={classes.aside}>
            <PlanSummary campaign={campaign} plan={plan} form={form} />
          </div>
        )}
      </div>
    </Page>
  )
}
