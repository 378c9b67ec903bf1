import { useCallback, useMemo } from 'react'
import { workflows } from '@weft/contract/workflows/api'
import { definitionOf } from '@weft/workflow/catalogue/catalogue'
import type { Activity } from '@weft/workflow/document'
import type { JsonObject } from '@weft/workflow/json'
import { RecordPicker } from '../../../../kit/fields/record-picker.tsx'
import { SchemaForm } from '../../../../kit/schema-form/schema-form.tsx'
import type { ScopeValue } from '../../../../kit/schema-form/types.ts'
import { problemsByField } from '../../model/field-problems.ts'
import { referencesFor } from '../../model/references.ts'
import { useT } from '../../text.ts'
import { useCatalogueText } from '../../../../lib/i18n/catalogue.ts'
import { useEditor } from '../context.ts'
import { problemText } from '../problem-text.ts'
import { STEP_FORM } from './focus.ts'

/** The fields of a step, made from its activity; what is wrong stands beside each. */
export function StepForm({
  step,
  onChange,
}: {
  step: Activity
  onChange: (state: JsonObject, path: string) => void
}) {
  const t = useT()
  const catalogue = useCatalogueText()
  const { document, readOnly, problemsOf } = useEditor()
  const definition = definitionOf(step.type)
  const scope = useScope(step.id)
  const byField = useMemo(
    () => problemsByField(definition?.fields ?? [], problemsOf(step.id)),
    [definition, problemsOf, step.id],
  )
  const problemAt = useCallback(
    (path: string) => {
      const problem = byField.get(path)
      return problem && { text: problemText(problem, document, t, catalogue), severity: problem.severity }
    },
    [byField, document, t, catalogue],
  )
  const variables = useMemo(() => document.variables.map(({ name }) => name), [document.variables])
  if (!definition) return null
  return (
    <SchemaForm
      fields={definition.fields}
      value={step.state}
      onChange={onChange}
      text={catalogue}
      problemAt={problemAt}
      scope={scope}
      variables={variables}
      workflowPicker={CalledWorkflow}
      idPrefix={STEP_FORM}
      readOnly={readOnly}
    />
  )
}

/** What the step may use, under headings in the language shown now. */
function useScope(stepId: string): ScopeValue[] {
  const t = useT()
  const catalogue = useCatalogueText()
  const { document } = useEditor()
  return useMemo(
    () =>
      referencesFor(document, stepId).map(({ expression, hint, group, type }) => ({
        expression,
        hint: [hint || outputWords(document.activities, expression, catalogue), t(`types.${type}`)]
          .filter(Boolean)
          .join(' · '),
        group: t(`insert.groups.${group}`),
      })),
    [document, stepId, t, catalogue],
  )
}

/** What the catalogue calls the output that `steps.<id>.<name>` means. */
function outputWords(
  activities: readonly Activity[],
  expression: string,
  catalogue: (key: string) => string,
): string {
  const [root, id, output] = expression.split('.')
  const type = root === 'steps' ? activities.find((activity) => activity.id === id)?.type : undefined
  return type && output ? catalogue(`activities.${type}.outputs.${output}`) : ''
}

const WORKFLOWS = { from: workflows.list, get: workflows.get, label: ({ name }: { name: string }) => name }

function CalledWorkflow(props: { id: string; value: string | null; onChange: (id: string | null) => void }) {
  return (
    <RecordPicker source={WORKFLOWS} id={props.id} value={props.value} onChange={props.onChange} clearable />
  )
}
