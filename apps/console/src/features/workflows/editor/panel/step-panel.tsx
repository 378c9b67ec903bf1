import { Anchor, CloseButton, NumberInput, Switch, TextInput, Tooltip } from '@mantine/core'
import { IconAlertOctagon, IconHelp } from '@tabler/icons-react'
import { useEffect, type ReactNode } from 'react'
import { Link } from 'react-router'
import { activityOf } from '@weft/workflow/calls'
import { definitionOf, outcomesOf, sideEffectOf } from '@weft/workflow/catalogue/catalogue'
import type { Activity } from '@weft/workflow/document'
import { valueAt } from '@weft/workflow/interpret/plain-paths'
import { apply } from '@weft/workflow/operations'
import type { Json, JsonObject } from '@weft/workflow/json'
import { Code } from '../../../../kit/values/values.tsx'
import { useCan } from '../../../../lib/can.ts'
import { useKitText } from '../../../../lib/i18n/texts.ts'
import { useLatest } from '../../../../lib/use-latest.ts'
import { ActivityIcon } from '../../activity-icon.tsx'
import { setState } from '../../model/edit.ts'
import { attempt, documentOf, edit as editState } from '../../model/editor-state.ts'
import { useT } from '../../text.ts'
import { useCatalogueText } from '../../../../lib/i18n/catalogue.ts'
import { titleOf } from '../catalogue-text.ts'
import { Pickable } from '../browse/browse-parts.tsx'
import { useEditor } from '../context.ts'
import { valueLine } from '../../model/preview/known-values.ts'
import { useKnownValues } from '../preview/use-known-values.ts'
import { problemText } from '../problem-text.ts'
import { controlOf, useCustomWords } from './custom-form.tsx'
import { focusField } from './focus.ts'
import { Identifier } from './identifier.tsx'
import classes from './panel.module.css'
import { StepForm } from './step-form.tsx'

/** The form of one step: what it does, and how long and how often it may try. */
export function StepPanel({ step, close }: { step: Activity; close?: () => void }) {
  const t = useT()
  const kit = useKitText()
  const catalogue = useCatalogueText()
  const { document, update, problemsOf, readOnly } = useEditor()
  const definition = definitionOf(step.type)
  const custom = useCustomWords(step)
  const change = (changes: Partial<Omit<Activity, 'id' | 'type'>>, field: string) =>
    // Of the document as it is by then: the form may be a moment behind it.
    update((now) =>
      attempt(now, () =>
        editState(now, apply(documentOf(now), { kind: 'updateActivity', id: step.id, changes }), {
          at: Date.now(),
          group: `${step.id}.${field}`,
        }),
      ),
    )
  // Problems of a field stand beside it; these concern the step as a whole.
  const whole = problemsOf(step.id).filter(({ field }) => field === null)
  return (
    <section className={classes.panel} aria-label={t('panel.label')} data-step={step.id}>
      <header className={classes.header}>
        <ActivityIcon type={step.type} size={20} />
        <h2 className={classes.title}>{custom ? <bdi>{custom.name}</bdi> : titleOf(step.type, catalogue)}</h2>
        {sideEffectOf(step) === 'irreversible' && (
          <Tooltip label={t('outline.irreversible')} multiline maw={320}>
            <span className={classes.irreversible}>
              <IconAlertOctagon size={15} aria-hidden />
              {t('panel.irreversible')}
            </span>
          </Tooltip>
        )}
        {definition && <HelpLink activity={activityOf(step)} />}
        {close && <CloseButton className={classes.close} aria-label={kit('common.close')} onClick={close} />}
      </header>
      {custom?.description ? (
        <p className={classes.description}>
          <bdi>{custom.description}</bdi>
        </p>
      ) : (
        definition && <p className={classes.description}>{catalogue(definition.descriptionKey)}</p>
      )}
      {whole.length > 0 && (
        <ul className={classes.problems}>
          {whole.map((problem) => (
            <li key={problem.code} data-severity={problem.severity}>
              {problemText(problem, document, t, catalogue)}
            </li>
          ))}
        </ul>
      )}
      <TextInput
        label={t('panel.name')}
        description={t('panel.nameHelp')}
        value={step.name ?? ''}
        maxLength={120}
        disabled={readOnly}
        onChange={(event) => change({ name: event.currentTarget.value || undefined }, 'name')}
      />
      <Identifier step={step} />
      {definition ? <Fields step={step} /> : <p>{t('panel.unknown')}</p>}
      <Group title={t('panel.settings')}>
        <Limits step={step} change={change} />
      </Group>
      <Outputs step={step} />
    </section>
  )
}

/** Leads to the page about the step's activity, beside the editor, so that nothing is lost. */
function HelpLink({ activity }: { activity: string }) {
  const t = useT()
  const may = useCan()('VIEW', 'ACTIVITY')
  if (!may) return null
  return (
    <Anchor
      component={Link}
      to={`/cms/config/activity/${activity}`}
      target="_blank"
      size="sm"
      className={classes.help}
    >
      <IconHelp size={16} aria-hidden />
      {t('panel.help')}
    </Anchor>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.group}>
      <h3 className={classes.groupTitle}>{title}</h3>
      {children}
    </section>
  )
}

function Fields({ step }: { step: Activity }) {
  const { update, wanted } = useEditor()
  const onChange = (state: JsonObject, path: string) =>
    update((now) => {
      const changed = setState(now.history.present, step.id, state)
      const notice =
        changed.removed > 0 ? { notice: { code: 'removedBody', params: { count: changed.removed } } } : {}
      return editState(now, changed.document, {
        at: Date.now(),
        group: `${step.id}.state.${path}`,
        ...notice,
      })
    })
  // A line of the problem list leads to the field itself, once: later edits of the step leave the focus alone.
  const latest = useLatest(step)
  useEffect(() => {
    if (wanted?.stepId !== step.id || !wanted.field) return
    focusField(step.type, controlOf(latest.current, wanted.field))
  }, [wanted, step.id, step.type, latest])
  return (
    <Pickable step={step}>
      <StepForm step={step} onChange={onChange} />
    </Pickable>
  )
}

function Limits(props: {
  step: Activity
  change: (changes: Partial<Omit<Activity, 'id' | 'type'>>, field: string) => void
}) {
  const t = useT()
  const { readOnly } = useEditor()
  const { step, change } = props
  const definition = definitionOf(step.type)
  const isContainer = outcomesOf(step).some(({ kind }) => kind === 'body')
  const defaults = definition?.defaultRetry ?? { attempts: 1, delaySeconds: 0 }
  const retry = step.retry ?? defaults
  const number = (value: string | number) => (typeof value === 'number' ? value : undefined)
  return (
    <>
      <NumberInput
        label={t('panel.timeLimit')}
        value={step.timeLimitSeconds ?? ''}
        placeholder={inSeconds(definition?.defaultTimeLimitSeconds, t)}
        suffix={t('seconds')}
        min={1}
        max={86_400}
        disabled={readOnly}
        onChange={(value) => change({ timeLimitSeconds: number(value) }, 'timeLimit')}
      />
      {!isContainer && (
        <div className={classes.pair}>
          <NumberInput
            label={t('panel.attempts')}
            value={step.retry?.attempts ?? ''}
            placeholder={String(defaults.attempts)}
            min={1}
            max={10}
            allowDecimal={false}
            disabled={readOnly}
            onChange={(value) =>
              change(
                { retry: value === '' ? undefined : { ...retry, attempts: number(value) ?? 1 } },
                'attempts',
              )
            }
          />
          <NumberInput
            label={t('panel.retryDelay')}
            value={step.retry?.delaySeconds ?? ''}
            placeholder={inSeconds(defaults.delaySeconds, t)}
            suffix={t('seconds')}
            min={0}
            max={3600}
            disabled={readOnly}
            onChange={(value) =>
              change({ retry: { ...retry, delaySeconds: number(value) ?? 0 } }, 'retryDelay')
            }
          />
        </div>
      )}
      <Switch
        label={t('panel.disabled')}
        description={t('panel.disabledHelp')}
        checked={step.disabled === true}
        disabled={readOnly}
        onChange={(event) => change({ disabled: event.currentTarget.checked || undefined }, 'disabled')}
      />
    </>
  )
}

const inSeconds = (count: number | undefined, t: ReturnType<typeof useT>) =>
  count === undefined ? '' : `${count}${t('seconds')}`

/** What later steps can read of this one. */
function Outputs({ step }: { step: Activity }) {
  const t = useT()
  const catalogue = useCatalogueText()
  const { known } = useKnownValues()
  const outputs = definitionOf(step.type)?.outputs ?? []
  if (outputs.length === 0) return null
  return (
    <Group title={t('panel.outputs')}>
      <ul className={classes.outputs}>
        {outputs.map(({ name }) => (
          <li key={name}>
            <Code copy>{`steps.${step.id}.${name}`}</Code>
            <span className={classes.outputWords}>
              {catalogue(`activities.${step.type}.outputs.${name}`)}
            </span>
            <LastValue value={valueAt(known, `steps.${step.id}.${name}`)} />
          </li>
        ))}
      </ul>
    </Group>
  )
}

/** What the last test run left of an output. */
function LastValue({ value }: { value: Json | undefined }) {
  if (value === undefined || value === null) return null
  const line = valueLine(value, LAST_VALUE_CHARS)
  return <bdi className={classes.lastValue}>{line}</bdi>
}

const LAST_VALUE_CHARS = 120
