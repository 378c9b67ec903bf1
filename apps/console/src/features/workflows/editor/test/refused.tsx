import { Alert, Anchor, Button } from '@mantine/core'
import { Link } from 'react-router'
import { stepsOfPart, wayTo } from '@weft/workflow/interpret/part'
import type { Problem } from '@weft/workflow/validate'
import type { WorkflowDocument } from '@weft/workflow/document'
import { errorText } from '../../../../lib/i18n/names.ts'
import { runPath } from '../../../runs/paths.ts'
import { useT } from '../../text.ts'
import { useEditor } from '../context.ts'
import { ProblemList } from '../problems.tsx'
import type { Refusal } from './refusal.ts'
import { useTestDesk } from './test-desk.ts'
import { useValueOf } from '../../../../lib/use-value-of.ts'
import classes from './test.module.css'

/** Why a test run was not started, with what leads on from there. */
export function Refused(props: {
  refusal: Refusal
  forget: () => void
  /** A problem is being gone to. */
  onGo?: () => void
}) {
  const t = useT()
  const desk = useTestDesk()
  const { document, problems } = useEditor()
  const { refusal, forget } = props
  const { code, params, message } = refusal
  const runId = params['runId']
  const shown = useValueOf(desk.runId)
  const own = code === 'testRun.invalid' ? problemsOfPart(document, problems, refusal) : []
  return (
    <Alert
      color="red"
      className={classes.refused ?? ''}
      withCloseButton
      closeButtonLabel={t('test.forget')}
      onClose={forget}
      title={t('test.refused')}
    >
      <p className={classes.why}>
        {code === 'request.invalid' && refusal.inputs.size > 0
          ? t('test.inputsWrong')
          : errorText(code, params, message)}
      </p>
      {own.length > 0 && <ProblemList problems={own} {...(props.onGo ? { onGo: props.onGo } : {})} />}
      {code === 'testRun.busy' && typeof runId === 'string' && runId !== shown && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            desk.show(runId)
            forget()
          }}
        >
          {t('test.showIt')}
        </Button>
      )}
      {refusal.holders.length > 0 && (
        <ul className={classes.holders}>
          {refusal.holders.map(([id, words]) => (
            <li key={id}>
              <Anchor component={Link} to={runPath(id)}>
                <bdi>{words}</bdi>
              </Anchor>
            </li>
          ))}
        </ul>
      )}
      {code === 'testRun.no_client' && (
        <Anchor component={Link} to="/cms/resource/clients">
          {t('test.toClients')}
        </Anchor>
      )}
    </Alert>
  )
}

/** The problems of the editor that stand in the way of a part: those that the server named. */
function problemsOfPart(
  document: WorkflowDocument,
  problems: readonly Problem[],
  { scope, paths }: Refusal,
): Problem[] {
  const named = new Set(paths)
  const part = new Set([...stepsOfPart(document, scope), ...wayTo(document, scope)].map(({ id }) => id))
  const errors = problems.filter(({ severity }) => severity === 'error')
  const exact = errors.filter(({ path }) => named.has(path))
  // Meanwhile something may have been moved: then those of the part are the next best.
  return exact.length > 0 ? exact : errors.filter(({ stepId }) => stepId === null || part.has(stepId))
}
