import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { Campaign } from '@weft/contract/campaigns/schema'
import { Facts, Section } from '../../../kit/page/page.tsx'
import { KeyValue } from '../../../kit/values/key-value.tsx'
import { Code, Dash, Num } from '../../../kit/values/values.tsx'
import { useFormats } from '../../../lib/formats.ts'
import { fieldLabel, optionLabel } from '../../../lib/i18n/names.ts'
import { Moment } from '../../runs/moment.tsx'
import { campaignPath } from '../paths.ts'
import { partnersOf } from '../editor/pairing.ts'
import { codeText, useT } from '../text.ts'
import classes from './monitor.module.css'

const label = (name: string) => fieldLabel('campaigns', name)
const option = (field: string, value: string) => optionLabel('campaigns', field, value)

/** How the campaign is set up, and when its state changed. */
export function SettingsTab({ campaign }: { campaign: Campaign }) {
  const t = useT()
  const { pairing, pacing, errors, schedule } = campaign
  const formats = useFormats()
  const limit = (value: number | null) => (value === null ? t('noLimit') : <Num value={value} />)
  const seconds = (value: number) => formats.duration(value * 1000)
  return (
    <div className={classes.stack}>
      <Section title={t('history.title')}>
        <History campaign={campaign} />
      </Section>
      <Section title={t('editor.basics')}>
        <Facts
          rows={[
            [label('code'), <Code key="code">{campaign.code}</Code>],
            [label('type'), option('type', campaign.type)],
            [
              label('projectId'),
              campaign.projectName ? (
                <bdi key="projectId">{campaign.projectName}</bdi>
              ) : (
                <Dash key="projectId" />
              ),
            ],
            [label('workflowId'), <WorkflowLink key="workflow" campaign={campaign} />],
            [label('pairing.per'), option('per', pairing.per)],
            ...partnersOf(pairing.per).map(
              (kind) => [option('per', kind), option('join', pairing[kind])] as const,
            ),
            [
              label('schedule.mode'),
              schedule.mode === 'at' ? formats.exact(schedule.at) : option('schedule', 'now'),
            ],
            [label('pacing.maxParallel'), limit(pacing.maxParallel)],
            [label('pacing.delaySeconds'), seconds(pacing.delaySeconds)],
            [label('pacing.perAccountPerDay'), limit(pacing.perAccountPerDay)],
            [label('pacing.perDomainPerMinute'), limit(pacing.perDomainPerMinute)],
            [label('errors.attempts'), <Num key="attempts" value={errors.attempts} />],
            [label('errors.backoffSeconds'), seconds(errors.backoffSeconds)],
            [
              label('errors.stopAfter'),
              errors.stopAfter === null ? t('never') : <Num key="stopAfter" value={errors.stopAfter} />,
            ],
            [
              label('errors.stopAfterPercent'),
              errors.stopAfterPercent === null ? t('never') : formats.percent(errors.stopAfterPercent / 100),
            ],
            [label('priority'), <Num key="priority" value={campaign.priority} />],
          ]}
        />
      </Section>
      {Object.keys(campaign.inputs).length > 0 && (
        <Section title={t('editor.inputs')}>
          <KeyValue value={campaign.inputs} />
        </Section>
      )}
      {(campaign.description || campaign.notes) && (
        <Section title={label('notes')}>
          {campaign.description && <p className={classes.text}>{campaign.description}</p>}
          {campaign.notes && <p className={classes.text}>{campaign.notes}</p>}
        </Section>
      )}
    </div>
  )
}

function WorkflowLink({ campaign }: { campaign: Campaign }) {
  const t = useT()
  if (!campaign.workflowId) return <Dash />
  return (
    <>
      <Anchor component={Link} to={`/cms/workflow/editor/${campaign.workflowId}`}>
        <bdi>{campaign.workflowName}</bdi>
      </Anchor>
      {campaign.release !== null && ` · ${t('release.number', { number: campaign.release })}`}
    </>
  )
}

/** The turns the campaign took, as far as the record tells them. */
function History({ campaign }: { campaign: Campaign }) {
  const t = useT()
  const { state, stateReason } = campaign
  const reason = stateReason ? codeText(`stateReason.${stateReason}`) : undefined
  const stateWord = option('state', state)
  const turns = [
    { id: 'created', at: campaign.createdAt, text: t('history.created') },
    ...(campaign.startedAt ? [{ id: 'started', at: campaign.startedAt, text: t('history.started') }] : []),
    campaign.finishedAt
      ? { id: 'finished', at: campaign.finishedAt, text: t('history.finished', { state: stateWord }), reason }
      : {
          id: 'state',
          at: campaign.stateChangedAt,
          text: t('history.state', { state: stateWord }),
          reason,
        },
  ]
  return (
    <ol className={classes.history}>
      {turns.map((turn) => (
        <li key={turn.id}>
          <Moment at={turn.at} />
          <span>
            {turn.text}
            {'reason' in turn && turn.reason && <span className={classes.dim}> · {turn.reason}</span>}
          </span>
        </li>
      ))}
      {campaign.copiedFromId && (
        <li>
          <Anchor component={Link} to={campaignPath(campaign.copiedFromId)} fz="sm">
            {t('history.copiedFrom')}
          </Anchor>
        </li>
      )}
    </ol>
  )
}
