import { IconCircleCheck, IconCircleX, IconEyeOff } from '@tabler/icons-react'
import { useMemo } from 'react'
import { comparisonIn } from '@weft/workflow/comparison'
import { bareExpression } from '@weft/workflow/expressions'
import type { Json } from '@weft/workflow/json'
import { prepare, valueLine } from '../../../model/preview/known-values.ts'
import { useT } from '../../../text.ts'
import { useEditor } from '../../context.ts'
import classes from '../../preview/preview.module.css'
import { useEvaluation } from '../../preview/use-evaluation.ts'
import { useLastRun } from './use-last-run.ts'

/** Whether an expectation would have held for the last test run, and what there was; beneath its field. */
export default function ExpectationPreview({ text }: { text: string }) {
  const t = useT()
  const { document } = useEditor()
  const { known, ended } = useLastRun()
  const secrets = useMemo(
    () => new Set(document.inputs.filter(({ secret }) => secret === true).map(({ name }) => name)),
    [document.inputs],
  )
  const expression = bareExpression(text)
  const side = useMemo(() => comparisonIn(expression)?.left ?? expression, [expression])
  const [whole, left] = useMemo(
    () => [expression, side].map((part) => prepare(part, 'expression', known, secrets, ended ?? {})),
    [expression, side, known, secrets, ended],
  )
  const result = useEvaluation(whole?.kind === 'ready' ? whole.request : null, known, ended)
  const found = useEvaluation(left?.kind === 'ready' ? left.request : null, known, ended)
  if (!ended) return <p className={classes.preview}>{t('tests.noRunYet')}</p>
  if (whole?.kind === 'secret')
    return (
      <p className={classes.preview}>
        <IconEyeOff size={13} aria-hidden />
        {t('preview.secret')}
      </p>
    )
  if (whole?.kind === 'unknown')
    return <p className={classes.preview}>{t('preview.unknown', { name: whole.name })}</p>
  if (!result) return null
  const holds = result.ok && isTrue(result.value)
  const Icon = holds ? IconCircleCheck : IconCircleX
  return (
    <p className={classes.preview} data-failed={!holds || undefined}>
      <Icon size={14} aria-hidden />
      <span>{t(holds ? 'tests.heldLast' : 'tests.failedLast')}</span>
      {!result.ok ? (
        <bdi className={classes.value} dir="auto">
          {result.message}
        </bdi>
      ) : (
        found?.ok && (
          <bdi className={classes.value} dir="auto">
            {valueLine(found.value) || '""'}
          </bdi>
        )
      )}
    </p>
  )
}

/** As the agent reads it. */
const isTrue = (value: Json) => Boolean(value) && value !== 'false'
