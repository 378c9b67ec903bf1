import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { Campaign } from '@weft/contract/campaigns/schema'
import { workflows } from '@weft/contract/workflows/api'
import type { Release } from '@weft/contract/workflows/schema'
import { useFieldValue } from '../../../kit/form/context.ts'
import { Section } from '../../../kit/page/page.tsx'
import { Failure } from '../../../kit/states/states.tsx'
import { Time } from '../../../kit/values/values.tsx'
import { Bone } from '../../../kit/states/bone.tsx'
import { useRead } from '../../../lib/query.ts'
import { WorkflowSelect } from '../new-form.tsx'
import { useT } from '../text.ts'
import classes from './editor.module.css'
import { InputsForm } from './inputs-form.tsx'
import { inputsOf } from './inputs.ts'

const KNOWN_RELEASES = 50

/** What the campaign does: the workflow, its release, and what the release asks for. */
export function WorkflowSection({ campaign, disabled }: { campaign: Campaign; disabled: boolean }) {
  const t = useT()
  const chosen = useFieldValue('workflowId')
  const workflowId = typeof chosen === 'string' ? chosen : null
  const pinned = campaign.startedAt !== null && workflowId === campaign.workflowId ? campaign.release : null
  return (
    <Section title={t('editor.workflow')}>
      <div className={classes.stack} id="editor-workflow">
        <WorkflowSelect disabled={disabled} />
        {workflowId && <ReleaseInputs workflowId={workflowId} pinned={pinned} disabled={disabled} />}
      </div>
    </Section>
  )
}

function ReleaseInputs(props: { workflowId: string; pinned: number | null; disabled: boolean }) {
  const { workflowId, pinned } = props
  const t = useT()
  const releases = useRead(workflows.releases, {
    id: workflowId,
    perPage: KNOWN_RELEASES,
    sortBy: 'number',
    sortDesc: true,
  })
  if (releases.error && !releases.data)
    return <Failure error={releases.error} retry={() => void releases.refetch()} />
  if (!releases.data) return <Bone height={72} />
  const all: readonly Release[] = releases.data.data
  const release = pinned === null ? all[0] : all.find(({ number }) => number === pinned)
  if (!release)
    return (
      <p className={classes.notice} data-tone="amber">
        {t('release.none')}
      </p>
    )
  return (
    <>
      <ReleaseLine release={release} pinned={pinned !== null} />
      <h3 className={classes.subtitle}>{t('editor.inputs')}</h3>
      <InputsForm inputs={inputsOf(release)} disabled={props.disabled} />
    </>
  )
}

function ReleaseLine({ release, pinned }: { release: Release; pinned: boolean }) {
  const t = useT()
  return (
    <div className={classes.release}>
      <span>
        <strong>{t('release.number', { number: release.number })}</strong>
        {' · '}
        <span className={classes.dim}>{t(pinned ? 'release.pinned' : 'release.newest')}</span>
        {' · '}
        <Time at={release.createdAt} />
      </span>
      {release.changelog && (
        <span className={classes.dim}>
          <bdi>{release.changelog}</bdi>
        </span>
      )}
      <Anchor component={Link} to={`/cms/workflow/editor/${release.workflowId}`} fz="sm">
        {t('release.open')}
      </Anchor>
    </div>
  )
}
