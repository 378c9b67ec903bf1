import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { Summary } from '@weft/contract/reports/api'
import { Section } from '../../../kit/page/page.tsx'
import { StatusBadge } from '../../../kit/status/status-badge.tsx'
import { Time } from '../../../kit/values/values.tsx'
import { CAMPAIGNS, campaignPath, editorPath } from '../../campaigns/paths.ts'
import { RowProgress } from '../../campaigns/tally-bar.tsx'
import { useT } from '../text.ts'
import classes from './dashboard.module.css'

/** The campaigns in which something happened last. */
export function RecentCampaigns({ summary }: { summary: Summary }) {
  const t = useT()
  if (summary.recent.length === 0) return null
  return (
    <Section
      title={t('recent.title')}
      aside={
        <Anchor component={Link} to={CAMPAIGNS} fz="sm">
          {t('recent.all')}
        </Anchor>
      }
    >
      <ul className={classes.recent}>
        {summary.recent.map((campaign) => (
          <li key={campaign.id}>
            <Link
              className={classes.recentName}
              to={campaign.state === 'draft' ? editorPath(campaign.id) : campaignPath(campaign.id)}
            >
              <bdi>{campaign.title}</bdi>
            </Link>
            <StatusBadge value={campaign.state} feature="campaigns" field="state" />
            <span className={classes.recentBar}>
              <RowProgress campaign={campaign} />
            </span>
            <span className={classes.recentTime}>
              <Time at={campaign.updatedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
