import { lazy, Suspense, useCallback, useMemo } from 'react'
import { workflows } from '@weft/contract/workflows/api'
import { definitionOf } from '@weft/workflow/catalogue/catalogue'
import type { Activity } from '@weft/workflow/document'
import { valueAt } from '@weft/workflow/interpret/plain-paths'
import type { JsonObject } from '@weft/workflow/json'
import { RecordPicker } from '../../../../kit/fields/record-picker.tsx'
import { SchemaForm } from '../../../../kit/schema-form/schema-form.tsx'
import type { PreviewOf, ScopeValue } from '../../../../kit/schema-form/types.ts'
import { fieldAt, problemsByField, textAt } from '../../model/field-problems.ts'
import { membersAt, typeOfValue, valueLine } from '../../model/preview/known-values.ts'
import { problemSpot } from '../../model/problem-spot.ts'
import { referencesFor } from '../../model/references.ts'
import { useT } from '../../text.ts'
import { useCatalogueText } from '../../../../lib/i18n/catalogue.ts'
import { useEditor } from '../context.ts'
import { useKnownValues } from '../preview/use-known-values.ts'
import { problemText } from '../problem-text.ts'
import { CustomVersion, pathOfParameter, useCustomFields } from './custom-form.tsx'
import { useProjectNames } from '../use-project-names.ts'
import { STEP_FORM } from './focus.ts'

const SAMPLE_CHARS = 80

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

/** What the step may use, under headings in the language shown now. */
function useScope(stepId: string): ScopeValue[] {
  const t = useT()
  const catalogue = useCatalogueText()
  const { document, workflow } = useEditor()
  const { known } = useKnownValues()
  const project = useProjectNames(workflow.projectId)
  const references = useMemo(() => referencesFor(document, stepId, project), [document, stepId, project])
  return useMemo(
    () =>
      references.flatMap(({ expression, hint, group, type, maybe }) => {
        const value = valueAt(known, expression)
        const own = {
          expression,
          hint: [
            hint,
            outputWords(document.activities, expression, catalogue),
            wordsOf(expression, t),
            maybe ? t('insert.maybe') : '',
          ]
            .filter(Boolean)
            .join(' · '),
          group: t(`insert.groups.${group}`),
          type: t(`types.${type}`),
          ...(value === undefined || value === null ? {} : { sample: valueLine(value, SAMPLE_CHARS) }),
        }
        // What the last test run left may be a record whose members can be named.
        const members = membersAt(known, expression).map((member) => ({
          expression: member.path,
          hint: '',
          group: own.group,
          type: t(`types.${typeOfValue(member.value)}`),
          sample: valueLine(member.value, SAMPLE_CHARS),
        }))
        return [own, ...members]
      }),
    [references, document.activities, known, t, catalogue],
  )
}

/** What the fixed names are called. */
function wordsOf(expression: string, t: ReturnType<typeof useT>): string {
  const word = NAMED.find((name) => name === expression.replaceAll('.', '_'))
  return word ? t(`insert.names.${word}`) : ''
}

const NAMED = [
  'item_account_username',
  'item_account_displayName',
  'item_account_email',
  'item_account_channelName',
  'item_profile_name',
  'item_phone_phoneNumber',
  'item_video_title',
  'item_video_description',
  'item_video_file',
  'item_proxy_host',
  'item_client_name',
  'item_campaign_title',
  'item_seq',
  'run_id',
  'run_attempt',
  'run_now',
  'loop_value',
  'loop_index',
  'loop_count',
  'error_class',
  'error_message',
] as const

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
