import { NumberInput, Select, Button, Group } from '@mantine/core'
import { useState } from 'react'
import { projects } from '@weft/contract/projects/api'
import type { Project } from '@weft/contract/projects/schema'
import type { ProjectDefaults } from '@weft/contract/projects/values'
import { useChange } from '../../../kit/actions/use-change.ts'
import { Section } from '../../../kit/page/page.tsx'
import { text } from '../../../lib/i18n/texts.ts'
import { useT } from '../text.ts'
import classes from '../projects.module.css'

const TRACES = ['never', 'failure', 'always'] as const
const numberOf = (value: string | number) => (value === '' ? null : Number(value))

/** What a workflow that is made in the project begins with. */
export function Defaults({ project, locked }: { project: Project; locked: boolean }) {
  const t = useT()
  const [values, setValues] = useState<ProjectDefaults>(project.defaults)
  const change = useChange(projects.update, { done: text('kit:toasts.updated') })
  const set = (part: Partial<ProjectDefaults>) => setValues((before) => ({ ...before, ...part }))
  return (
    <Section title={t('values.defaults')}>
      <form
        className={classes.narrow}
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate({ id: project.id, version: project.version, defaults: values })
        }}
      >
        <div className={classes.stats}>
          <NumberInput
            label={t('values.timeLimit')}
            placeholder={t('values.asEverywhere')}
            min={1}
            max={86_400}
            allowDecimal={false}
            hideControls
            disabled={locked}
            value={values.timeLimitSeconds ?? ''}
            onChange={(value) => set({ timeLimitSeconds: numberOf(value) })}
          />
          <NumberInput
            label={t('values.attempts')}
            placeholder={t('values.asEverywhere')}
            min={1}
            max={10}
            allowDecimal={false}
            hideControls
            disabled={locked}
            value={values.maxAttempts ?? ''}
            onChange={(value) => set({ maxAttempts: numberOf(value) })}
          />
          <Select
            label={t('values.trace')}
            placeholder={t('values.asEverywhere')}
            clearable
            clearButtonProps={{ 'aria-label': t('values.asEverywhere') }}
            disabled={locked}
            data={TRACES.map((value) => ({ value, label: t(`values.traces.${value}`) }))}
            value={values.traceOn}
            onChange={(value) => set({ traceOn: TRACES.find((one) => one === value) ?? null })}
          />
        </div>
        {!locked && (
          <Group mt={14}>
            <Button type="submit" loading={change.isPending}>
              {text('kit:common.save')}
            </Button>
          </Group>
        )}
      </form>
    </Section>
  )
}
