import { Button } from '@mantine/core'
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Summary } from '@weft/contract/reports/api'
import { Section } from '../../../kit/page/page.tsx'
import { useCan } from '../../../lib/can.ts'
import { editorPath } from '../../campaigns/paths.ts'
import { useT } from '../text.ts'
import classes from './dashboard.module.css'

/** Whether nothing has run yet, so that a person is shown where to begin. */
export function isFresh({ current, previous, campaigns, recent }: Summary): boolean {
  const begun = recent.some(({ state }) => state !== 'draft')
  return current.runs + previous.runs === 0 && campaigns.running === 0 && !begun
}

/** The way to the first campaign: what is there already is ticked. */
export function FirstSteps({ summary }: { summary: Summary }) {
  const t = useT()
  const can = useCan()
  const draft = summary.recent.find(({ state }) => state === 'draft')
  const steps = [
    {
      id: 'client',
      done: summary.clients.online > 0,
      to: '/cms/resource/clients',
      may: can('CREATE', 'CLIENT'),
    },
    { id: 'workflow', done: draft !== undefined, to: '/cms/workflow/list', may: can('CREATE', 'WORKFLOW') },
    { id: 'campaign', done: draft !== undefined, to: '/cms/campaign/new', may: can('CREATE', 'CAMPAIGN') },
    {
      id: 'start',
      done: false,
      to: draft ? editorPath(draft.id) : '/cms/campaign/list',
      may: can('RUN', 'CAMPAIGN'),
    },
  ] as const
  const next = steps.find(({ done }) => !done)
  return (
    <Section title={t('first.title')}>
      <ol className={classes.steps}>
        {steps.map((step) => (
          <li key={step.id} data-done={step.done || undefined}>
            {step.done ? (
              <IconCircleCheck size={20} aria-hidden />
            ) : (
              <IconCircleDashed size={20} aria-hidden />
            )}
            <div>
              <strong>{t(`first.steps.${step.id}.title`)}</strong>
              <div className={classes.dim}>{t(`first.steps.${step.id}.text`)}</div>
            </div>
            {step.may && (
              <Button
                component={Link}
                to={step.to}
                size="compact-sm"
                variant={step === next ? 'filled' : 'default'}
              >
                {t(`first.steps.${step.id}.go`)}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </Section>
  )
}
