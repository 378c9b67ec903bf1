import { NumberInput, Select, Switch } from '@mantine/core'
import { workflows } from '@weft/contract/workflows/api'
import { traceModes, type WorkflowSettings } from '@weft/workflow/document'
import { apply } from '@weft/workflow/operations'
import { useChange } from '../../../kit/actions/use-change.ts'
import { Section } from '../../../kit/page/page.tsx'
import { WorkflowDetails } from '../form.tsx'
import { useT } from '../text.ts'
import { useEditor } from './context.ts'
import classes from './editor.module.css'

/** What holds for a whole run; and what the workflow is called and where it belongs. */
export function SettingsTab() {
  const { workflow, readOnly } = useEditor()
  return (
    <div className={classes.stack}>
      <RunSettings />
      <PublishSettings />
      {!readOnly && <WorkflowDetails id={workflow.id} projectId={workflow.projectId} />}
    </div>
  )
}

/** What a release needs. It is kept with the workflow and not in its document, so it counts at once. */
function PublishSettings() {
  const t = useT()
  const { workflow } = useEditor()
  const change = useChange(workflows.update)
  const mayDecide = workflow.can.includes('update') && workflow.cannot?.['publish'] !== 'access.denied'
  return (
    <Section title={t('settings.publishing')}>
      <Switch
        label={t('settings.testsMustPass')}
        description={t(mayDecide ? 'settings.testsMustPassHelp' : 'settings.testsMustPassDenied')}
        checked={workflow.testsMustPass}
        disabled={!mayDecide || change.isPending}
        onChange={(event) =>
          change.mutate({
            id: workflow.id,
            version: workflow.version,
            testsMustPass: event.currentTarget.checked,
          })
        }
      />
    </Section>
  )
}

function RunSettings() {
  const t = useT()
  const { document, edit, readOnly } = useEditor()
  const { settings } = document
  const set = (changes: Partial<WorkflowSettings>) =>
    edit(
      apply(document, { kind: 'setSettings', settings: changes }),
      `settings.${Object.keys(changes).join()}`,
    )
  return (
    <Section title={t('settings.title')}>
      <div className={classes.settings}>
        <NumberInput
          label={t('settings.timeLimitSeconds')}
          description={t('settings.timeLimitHelp')}
          value={settings.timeLimitSeconds}
          min={1}
          max={86_400}
          allowDecimal={false}
          suffix={t('seconds')}
          disabled={readOnly}
          onChange={(value) => typeof value === 'number' && value >= 1 && set({ timeLimitSeconds: value })}
        />
        <NumberInput
          label={t('settings.maxAttempts')}
          description={t('settings.maxAttemptsHelp')}
          value={settings.maxAttempts}
          min={1}
          max={10}
          allowDecimal={false}
          disabled={readOnly}
          onChange={(value) => typeof value === 'number' && value >= 1 && set({ maxAttempts: value })}
        />
        <Select
          label={t('settings.traceOn')}
          description={t('settings.traceHelp')}
          value={settings.traceOn}
          allowDeselect={false}
          disabled={readOnly}
          data={traceModes.map((value) => ({ value, label: t(`settings.trace.${value}`) }))}
          onChange={(value) => set({ traceOn: traceModes.find((mode) => mode === value) ?? 'failure' })}
        />
      </div>
    </Section>
  )
}
