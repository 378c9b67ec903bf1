import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconPlayerPlay } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { campaigns } from '@weft/contract/campaigns/api'
import type { Campaign, Plan } from '@weft/contract/campaigns/schema'
import { useChange } from '../../../kit/actions/use-change.ts'
import { useIsDirty, type FormHandle } from '../../../kit/form/use-resource-form.ts'
import { Section } from '../../../kit/page/page.tsx'
import { toast } from '../../../kit/toast/toast.ts'
import { Duration, Num } from '../../../kit/values/values.tsx'
import { Bone } from '../../../kit/states/bone.tsx'
import { isFailure } from '../../../lib/failure.ts'
import { errorText } from '../../../lib/i18n/names.ts'
import { campaignPath } from '../paths.ts'
import { useT } from '../text.ts'
import classes from './editor.module.css'

const SECOND = 1000

/** Beside the form: whether all is there, what a start would do, and the start. */
export function PlanSummary(props: { campaign: Campaign; plan: UseQueryResult<Plan>; form: FormHandle }) {
  const { campaign, plan, form } = props
  const t = useT()
  const dirty = useIsDirty(form.store)
  return (
    <Section title={t('plan.title')}>
      <div className={classes.stack}>
        {plan.data ? <Figures plan={plan.data} /> : plan.isPending && <Bone height={120} />}
        <Checks campaign={campaign} plan={plan.data} />
        {dirty && <p className={classes.dim}>{t('plan.unsaved')}</p>}
        <StartButton campaign={campaign} form={form} dirty={dirty} />
      </div>
    </Section>
  )
}

function Figures({ plan }: { plan: Plan }) {
  const t = useT()
  return (
    <div>
      <div className={classes.big}>
        <Num value={plan.total} />
      </div>
      <div className={classes.dim}>{t('plan.items', { count: plan.total })}</div>
      <div className={classes.dim}>
        {plan.exclusionTotal > 0 && <div>{t('plan.excluded', { count: plan.exclusionTotal })}</div>}
        <div>
          {t('plan.clients', {
            online: plan.clients.online,
            attached: plan.clients.attached,
            slots: plan.clients.slots,
          })}
        </div>
        {plan.estimatedSeconds !== null && plan.total > 0 && (
          <div>
            {t('plan.estimate')} <Duration ms={plan.estimatedSeconds * SECOND} />
          </div>
        )}
      </div>
    </div>
  )
}

/** What a start needs, each with a tick or what is missing. */
function Checks({ campaign, plan }: { campaign: Campaign; plan: Plan | undefined }) {
  const t = useT()
  const { attached } = campaign
  const resources = (['accounts', 'profiles', 'phones', 'videos'] as const).some((kind) => attached[kind] > 0)
  const checks = [
    { id: 'release', ok: campaign.workflowId !== null && campaign.release !== null },
    { id: 'clients', ok: attached.clients > 0 },
    { id: 'resources', ok: resources },
  ] as const
  const others = (plan?.problems ?? []).filter(({ code }) => code === 'campaign.nothing_to_do')
  return (
    <ul className={classes.checks}>
      {checks.map(({ id, ok }) => (
        <li key={id} className={classes.check} data-missing={!ok || undefined}>
          {ok ? <IconCircleCheck size={16} aria-hidden /> : <IconAlertTriangle size={16} aria-hidden />}
          <span>{t(ok ? `plan.checks.${id}` : `plan.missing.${id}`)}</span>
        </li>
      ))}
      {others.map(({ code }) => (
        <li key={code} className={classes.check} data-missing>
          <IconAlertTriangle size={16} aria-hidden />
          <span>{errorText(code)}</span>
        </li>
      ))}
      {plan && plan.clients.attached > 0 && plan.clients.online === 0 && (
        <li className={classes.check} data-missing>
          <IconAlertTriangle size={16} aria-hidden />
          <span>{t('plan.noneOnline')}</span>
        </li>
      )}
    </ul>
  )
}

/** Saves what is not saved yet, then starts; what the server finds wrong is shown at its field. */
function StartButton(props: { campaign: Campaign; form: FormHandle; dirty: boolean }) {
  const { campaign, form, dirty } = props
  const t = useT()
  const navigate = useNavigate()
  const start = useChange(campaigns.start, { quiet: true, invalidates: ['reports'] })
  if (campaign.state !== 'draft') return null
  const possible = campaign.can.includes('start') || dirty
  const reason = campaign.cannot?.['start']
  const begin = async () => {
    if (dirty) await form.submit()
    if (form.store?.isDirty()) return
    try {
      await start.mutateAsync({ id: campaign.id })
      void navigate(campaignPath(campaign.id))
    } catch (error) {
      if (isFailure(error) && error.body.errors?.length) form.store?.setErrors(error.body.errors)
      toast.failure(error)
    }
  }
  const label = campaign.schedule.mode === 'at' && !dirty ? 'plan.startLater' : 'plan.start'
  return (
    <Button
      fullWidth
      leftSection={<IconPlayerPlay size={16} aria-hidden className="flip-rtl" />}
      loading={start.isPending || form.submitting}
      disabled={!possible}
      title={!possible && reason ? errorText(reason) : undefined}
      onClick={() => void begin()}
    >
      {t(dirty ? 'plan.saveAndStart' : label)}
    </Button>
  )
}
