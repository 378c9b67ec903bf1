import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { attachCalls, type Candidate } from '@weft/contract/campaigns/api'
import { ATTACHABLE, type Attachable, type Campaign } from '@weft/contract/campaigns/schema'
import { Section } from '../../../kit/page/page.tsx'
import { LinesSkeleton, Load } from '../../../kit/states/states.tsx'
import { StatusBadge } from '../../../kit/status/status-badge.tsx'
import { useFormats } from '../../../lib/formats.ts'
import { useRead } from '../../../lib/query.ts'
import { editorPath } from '../paths.ts'
import { ResourceLink } from '../resource-link.tsx'
import { useT } from '../text.ts'
import classes from './monitor.module.css'

const SHOWN = 10

/** What the campaign works with: how many of each kind, and the first of them as they are now. */
export function ResourcesTab({ campaign }: { campaign: Campaign }) {
  const t = useT()
  const formats = useFormats()
  const kinds = ATTACHABLE.filter((kind) => campaign.attached[kind] > 0)
  return (
    <div className={classes.grid}>
      {kinds.map((kind) => (
        <Section
          key={kind}
          title={`${t(`resources.kinds.${kind}`)} · ${formats.number(campaign.attached[kind])}`}
        >
          <Attached campaign={campaign} kind={kind} />
        </Section>
      ))}
      {kinds.length === 0 && <p className={classes.dim}>{t('resources.none')}</p>}
      {campaign.can.includes('update') && campaign.state === 'draft' && (
        <div>
          <Button component={Link} to={editorPath(campaign.id)} variant="default">
            {t('resources.choose')}
          </Button>
        </div>
      )}
    </div>
  )
}

function Attached({ campaign, kind }: { campaign: Campaign; kind: Attachable }) {
  const t = useT()
  const list = useRead(attachCalls[kind].fetch, { campaignId: campaign.id, attached: true, perPage: SHOWN })
  return (
    <Load of={list} skeleton={<LinesSkeleton lines={3} />}>
      {({ data, totalRecord }) => (
        <ul className={classes.attached}>
          {data.map((row: Candidate) => (
            <li key={row.id}>
              <ResourceLink kind={kind} id={row.id}>
                <bdi>{row.name}</bdi>
              </ResourceLink>
              <span className={classes.dim}>
                <bdi>{row.detail}</bdi>
              </span>
              <StatusBadge value={row.status} />
            </li>
          ))}
          {totalRecord > data.length && (
            <li className={classes.dim}>{t('resources.andMore', { count: totalRecord - data.length })}</li>
          )}
        </ul>
      )}
    </Load>
  )
}
