import { useMemo } from 'react'
import type { ActivityRow } from '@weft/contract/activities/schema'
import { definitionOf, isActivityType } from '@weft/workflow/catalogue/catalogue'
import { RecordActions } from '../../../kit/actions/record-actions.tsx'
import { Facts, Page, Section } from '../../../kit/page/page.tsx'
import { Dash, Num } from '../../../kit/values/values.tsx'
import { text } from '../../../lib/i18n/texts.ts'
import { activityActions } from '../actions.ts'
import { EffectBadge, failureShare, StateBadge } from '../columns.tsx'
import { CustomHelp } from '../custom/custom-help.tsx'
import { useActivityWords, useT } from '../text.ts'
import { useFigures } from '../use-figures.ts'
import { Example } from './example.tsx'
import { Failures } from './failures.tsx'
import { FieldTable } from './field-table.tsx'
import { Outcomes, Outputs } from './ways.tsx'

/** The page about one activity, made from its definition: what it does, its fields, its ways out, how it may fail. */
export function ActivityHelp({ activity }: { activity: ActivityRow }) {
  const t = useT()
  const { titleOf, descriptionOf } = useActivityWords()
  const figuresOf = useFigures()
  const actions = useMemo(() => activityActions(figuresOf), [figuresOf])
  const definition = definitionOf(activity.type)
  const title = titleOf(activity)
  return (
    <Page
      title={title}
      lead={<bdi>{descriptionOf(activity)}</bdi>}
      status={<StateBadge row={activity} />}
      back="/cms/config/activity"
      actions={
        <RecordActions
          feature="activities"
          of={activity}
          name={title}
          actions={actions}
          primary={activity.builtIn ? ['switchOn', 'switchOff'] : ['steps']}
        />
      }
    >
      <Section title={t('help.facts')}>
        <Glance activity={activity} />
      </Section>
      {!activity.builtIn && <CustomHelp activity={activity} />}
      {definition && activity.builtIn && (
        <>
          <Section title={t('help.fields')} flush={definition.fields.length > 0}>
            <FieldTable fields={definition.fields} />
          </Section>
          <Section title={t('help.outcomes')}>
            <Outcomes definition={definition} />
          </Section>
          <Section title={t('help.outputs')}>
            <Outputs definition={definition} />
          </Section>
          <Section title={t('help.failures')}>
            <Failures definition={definition} />
          </Section>
          {isActivityType(activity.id) && (
            <Section title={t('help.example')}>
              <Example type={activity.id} />
            </Section>
          )}
        </>
      )}
    </Page>
  )
}

/** What holds for every step of the activity, and how it fares. */
function Glance({ activity }: { activity: ActivityRow }) {
  const t = useT()
  const definition = definitionOf(activity.type)
  const figures = useFigures()(activity.id)
  const share = figures ? failureShare(figures) : null
  const attempts = definition?.defaultRetry.attempts ?? 1
  return (
    <Facts
      rows={[
        [t('fields.category'), t(`options.category.${activity.category}`)],
        [
          t('fields.sideEffect'),
          <span key="effect">
            <EffectBadge row={activity} /> {t(`help.effects.${activity.sideEffect}`)}
          </span>,
        ],
        [t('help.timeLimit'), t('help.seconds', { count: activity.timeLimitSeconds })],
        [
          t('help.retry'),
          attempts > 1
            ? t('help.attempts', { count: attempts, seconds: definition?.defaultRetry.delaySeconds ?? 0 })
            : t('help.once'),
        ],
        [t('help.browser'), text(definition?.requires.browser ? 'kit:common.yes' : 'kit:common.no')],
        [
          t('fields.activityVersion'),
          activity.activityVersion === null ? (
            <Dash key="version" />
          ) : (
            <Num key="version" value={activity.activityVersion} />
          ),
        ],
        [t('fields.workflows'), <Num key="workflows" value={figures?.workflows ?? 0} />],
        [t('fields.runs'), <Num key="runs" value={figures?.runs ?? 0} />],
        [
          t('fields.failureShare'),
          share === null ? <Dash key="share" /> : <Num key="share" value={share} digits={1} />,
        ],
      ]}
    />
  )
}
