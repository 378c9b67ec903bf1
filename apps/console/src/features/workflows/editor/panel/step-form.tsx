import { Suspense, lazy, useCallback, useDeferredValue, useMemo } from 'react'
import { workflows } from '@weft/contract/workflows/api'
import { definitionOf } from '@weft/workflow/catalogue/catalogue'
import type { Activity } from '@weft/workflow/document'
import type { JsonObject } from '@weft/workflow/json'
import { RecordPicker } from '../../../../kit/fields/record-picker.tsx'
import { SchemaForm } from '../../../../kit/schema-form/schema-form.tsx'
import type { PreviewOf, SchemaFormProps, ScopeValue } from '../../../../kit/schema-form/types.ts'
import { fieldAt, problemsByField, textAt } from '../../model/field-problems.ts'
import { problemSpot } from '../../model/problem-spot.ts'
import { referencesFor } from '../../model/references.ts'
import { useT } from '../../text.ts'
import { useCatalogueText } from '../../../../lib/i18n/catalogue.ts'
import { useEditor } from '../context.ts'
import { useKnownValues } from '../preview/use-known-values.ts'
import { useScopeOf } from '../preview/use-scope.ts'
import { problemText } from '../problem-text.ts'
import { CustomVersion, pathOfParameter, useCustomFields } from './custom-form.tsx'
import { useProjectNames } from '../use-project-names.ts'
import { STEP_FORM } from './focus.ts'

const ExpressionPreview = lazy(() => import('../preview/preview.tsx'))

const preview: PreviewOf = ({ text, kind }) => (
  <Suspense>
    <ExpressionPreview text={text} kind={kind} />
  </Suspense>
)

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
      if (!problem) return undefined
      const said = { text: problemText(problem, document, t, catalogue), severity: problem.severity }
      const typed = problem.field === path ? textAt(step.state, path) : null
      const isExpression = fieldAt(definition?.fields ?? [], path)?.kind === 'expression'
      const at = typed === null ? null : problemSpot(problem, typed, isExpression)
      return at ? { ...said, at } : said
    },
    [byField, document, t, catalogue, step.state, definition],
  )
  const variables = useMemo(() => document.variables.map(({ name }) => name), [document.variables])
  const custom = useCustomFields(step, onChange)
  if (!definition) return null
  const own = custom ?? { fields: definition.fields, value: step.state, onChange, text: catalogue }
  return (
    <>
      <CustomVersion step={step} onChange={onChange} />
      <SchemaForm
        {...own}
        problemAt={
          custom
            ? (name) => custom.problemAt?.(name) ?? problemAt(pathOfParameter(step.state, name))
            : problemAt
        }
        scope={scope}
        preview={preview}
        variables={variables}
        workflowPicker={CalledWorkflow}
        idPrefix={STEP_FORM}
        readOnly={readOnly}
      />
    </>
  )
}

/** What the step may use. */
function useScope(stepId: string): ScopeValue[] {
  const { document: latest, workflow } = useEditor()
  // What can be named is looked up after a letter is seen.
  const document = useDeferredValue(latest)
  const { known } = useKnownValues()
  const project = useProjectNames(workflow.projectId)
  const references = useMemo(() => referencesFor(document, stepId, project), [document, stepId, project])
  return useScopeOf(references, known)
}

const WORKFLOWS = { from: workflows.list, get: workflows.get, label: ({ name }: { name: string }) => name }

const CalledWorkflow: NonNullable<SchemaFormProps['workflowPicker']> = (props) => (
  <RecordPicker source={WORKFLOWS} {...props} clearable />
)
