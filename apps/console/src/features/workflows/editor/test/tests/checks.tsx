import { Button } from '@mantine/core'
import { IconCircleCheck, IconCircleDashed, IconCircleX } from '@tabler/icons-react'
import type { Check, WorkflowTest } from '@weft/contract/workflow-tests/schema'
import { bareExpression, findReferences } from '@weft/workflow/expressions'
import { useCatalogueText } from '../../../../../lib/i18n/catalogue.ts'
import { errorClassText } from '../../../../runs/text.ts'
import { useT } from '../../../text.ts'
import { useEditor } from '../../context.ts'
import { stepWords } from '../../problem-text.ts'
import classes from './tests.module.css'

/** What the last run of a test found: how it ended, and each expectation with what was there. */
export function Checks(props: {
  last: NonNullable<WorkflowTest['last']>
  expected: 'succeeded' | 'failed'
  onGo?: () => void
}) {
  const t = useT()
  const { last, expected, onGo } = props
  const { result, error, checks } = last
  const go = onGo ? { onGo } : {}
  return (
    <ul className={classes.checks}>
      {result !== null && (
        <li className={classes.check}>
          <Mark holds={last.verdict === 'undecided' ? null : result === expected} />
          <span className={classes.said}>
            <span>{t('tests.ended', { expected: t(`tests.results.${expected}`) })}</span>
            {result !== expected && (
              <span className={classes.found}>
                {t('tests.endedAs', { result: t(`tests.ends.${result}`) })}
              </span>
            )}
            {error && (
              <span className={classes.found}>
                <strong>{errorClassText(error.class)}</strong> <bdi>{error.message}</bdi>
              </span>
            )}
          </span>
          {error?.stepId && <ToStep id={error.stepId} {...go} />}
        </li>
      )}
      {checks.map((check, index) => (
        // Two expectations may be the same.
        // oxlint-disable-next-line react/no-array-index-key
        <CheckLine key={index} check={check} {...go} />
      ))}
    </ul>
  )
}

function CheckLine({ check, onGo }: { check: Check; onGo?: () => void }) {
  const t = useT()
  const { label, expression, holds, message, found, wanted } = check
  const step = holds === false ? stepNamed(expression) : undefined
  return (
    <li className={classes.check} data-holds={holds ?? undefined}>
      <Mark holds={holds} />
      <span className={classes.said}>
        {label && <bdi>{label}</bdi>}
        <code className="ltr">{expression}</code>
        {holds === false && (
          <span className={classes.found}>
            {wanted !== null && (
              <span>
                {t('tests.expected')} <bdi className="ltr">{wanted}</bdi>
              </span>
            )}
            {found !== null && (
              <span>
                {t('tests.found')} <bdi className="ltr">{found}</bdi>
              </span>
            )}
            {message && <bdi>{message}</bdi>}
          </span>
        )}
        {holds === null && <span className={classes.found}>{t('tests.notLookedAt')}</span>}
      </span>
      {step !== undefined && <ToStep id={step} {...(onGo ? { onGo } : {})} />}
    </li>
  )
}

/** The step whose output an expectation is about. */
function stepNamed(expression: string): string | undefined {
  const { references } = findReferences(bareExpression(expression))
  return references.find(({ root, path }) => root === 'steps' && path.length > 0)?.path[0]
}

function Mark({ holds }: { holds: boolean | null }) {
  const t = useT()
  const Icon = holds === null ? IconCircleDashed : holds ? IconCircleCheck : IconCircleX
  return (
    <span className={classes.mark} data-holds={holds ?? undefined}>
      <Icon size={16} aria-hidden />
      <span className="unseen">
        {t(holds === null ? 'tests.open' : holds ? 'tests.holds' : 'tests.fails')}
      </span>
    </span>
  )
}

/** Leads to a step, where it is still there. */
function ToStep({ id, onGo }: { id: string; onGo?: () => void }) {
  const t = useT()
  const catalogue = useCatalogueText()
  const { document, goTo } = useEditor()
  if (!document.activities.some((activity) => activity.id === id)) return null
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      onClick={() => {
        onGo?.()
        goTo(id)
      }}
    >
      <bdi>{t('tests.toStep', { step: stepWords(document, id, catalogue) })}</bdi>
    </Button>
  )
}
