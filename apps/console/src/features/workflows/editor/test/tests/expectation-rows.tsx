import { ActionIcon, Button, Input, TextInput, Tooltip } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense, useId, useMemo, useRef } from 'react'
import { WORKFLOW_TEST_LIMITS } from '@weft/contract/workflow-tests/schema'
import { checkExpectation } from '@weft/workflow/validate/expectations'
import { TemplateInput } from '../../../../../kit/schema-form/template-input.tsx'
import type { PreviewOf, ScopeValue } from '../../../../../kit/schema-form/types.ts'
import { useCatalogueText } from '../../../../../lib/i18n/catalogue.ts'
import { referencesAtEnd } from '../../../model/references.ts'
import { expectationDraft, type ExpectationDraft } from '../../../model/tests/test-draft.ts'
import { useT } from '../../../text.ts'
import { useEditor } from '../../context.ts'
import { useScopeOf } from '../../preview/use-scope.ts'
import { problemText } from '../../problem-text.ts'
import { useKnownNames, useProjectNames } from '../../use-project-names.ts'
import classes from './tests.module.css'
import { useLastRun } from './use-last-run.ts'

const ExpectationPreview = lazy(() => import('./expectation-preview.tsx'))

const preview: PreviewOf = ({ text }) => (
  <Suspense>
    <ExpectationPreview text={text} />
  </Suspense>
)

/** What must hold once the run is over, one expression a row. */
export function ExpectationRows(props: {
  rows: readonly ExpectationDraft[]
  onChange: (rows: readonly ExpectationDraft[]) => void
}) {
  const t = useT()
  const { rows, onChange } = props
  const { document, workflow } = useEditor()
  const { known } = useLastRun()
  const project = useProjectNames(workflow.projectId)
  const references = useMemo(() => referencesAtEnd(document, project), [document, project])
  const scope = useScopeOf(references, known)
  const full = rows.length >= WORKFLOW_TEST_LIMITS.expectations
  const list = useRef<HTMLUListElement>(null)
  const headId = useId()
  const add = () => {
    onChange([...rows, expectationDraft()])
    // The new row is there after the next drawing.
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>('li:last-child [data-expression] input')?.focus(),
    )
  }
  return (
    <section className={classes.fields} aria-labelledby={headId}>
      <h4 id={headId} className={classes.heading}>
        {t('tests.expectations')}
      </h4>
      <p className={classes.dim}>{t('tests.expectationsHelp')}</p>
      <ul ref={list} className={classes.rows}>
        {rows.map((row, index) => (
          <Row
            key={row.key}
            row={row}
            number={index + 1}
            scope={scope}
            put={(changes) => onChange(rows.map((one) => (one === row ? { ...one, ...changes } : one)))}
            remove={() => onChange(rows.filter((one) => one !== row))}
          />
        ))}
      </ul>
      <Button
        size="compact-sm"
        variant="default"
        disabled={full}
        leftSection={<IconPlus size={15} aria-hidden />}
        onClick={add}
      >
        {t('tests.addExpectation')}
      </Button>
    </section>
  )
}

function Row(props: {
  row: ExpectationDraft
  number: number
  scope: readonly ScopeValue[]
  put: (changes: Partial<ExpectationDraft>) => void
  remove: () => void
}) {
  const t = useT()
  const catalogue = useCatalogueText()
  const { document, workflow } = useEditor()
  const project = useKnownNames(workflow.projectId)
  const { row, number, scope, put, remove } = props
  const id = useId()
  const [problem] = useMemo(
    () => checkExpectation(document, row.expression, project),
    [document, row.expression, project],
  )
  return (
    <li className={classes.row}>
      <div className={classes.rowHead}>
        <TextInput
          size="xs"
          className={classes.grow ?? ''}
          aria-label={t('tests.labelOf', { number })}
          placeholder={t('tests.labelPlaceholder')}
          maxLength={120}
          value={row.label}
          onChange={(event) => put({ label: event.currentTarget.value })}
        />
        <Tooltip label={t('tests.removeExpectation', { number })}>
          <ActionIcon size={28} aria-label={t('tests.removeExpectation', { number })} onClick={remove}>
            <IconTrash size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      <div data-expression>
        <TemplateInput
          id={id}
          kind="expression"
          label={t('tests.expressionOf', { number })}
          placeholder="outputs.total === 3"
          value={row.expression}
          multiline={false}
          scope={scope}
          preview={preview}
          onChange={(expression) => put({ expression })}
        />
      </div>
      {problem && <Input.Error role="alert">{problemText(problem, document, t, catalogue)}</Input.Error>}
    </li>
  )
}
