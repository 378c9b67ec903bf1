import { UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconChevronDown, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { memo, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { stepsInOrder } from '@weft/workflow/outline'
import type { Problem } from '@weft/workflow/validate'
import { useT } from '../text.ts'
import { useCatalogueText } from '../../../lib/i18n/catalogue.ts'
import { useEditor } from './context.ts'
import { problemText, stepWords } from './problem-text.ts'
import classes from './editor.module.css'

/** Everything that is wrong with the draft; each line leads to where it is. */
export const Problems = memo(function Problems() {
  const t = useT()
  const { problems } = useEditor()
  const [open, setOpen] = useState(false)
  const errors = problems.filter(({ severity }) => severity === 'error').length
  if (problems.length === 0)
    return (
      <output className={classes.problemsNone}>
        <IconCircleCheck size={16} aria-hidden />
        {t('problems.none')}
      </output>
    )
  return (
    <section className={classes.problems} aria-label={t('problems.title')}>
      {/* Told when it changes; within the button it would be no part of the button’s name. */}
      <output className="unseen">{t('problems.count', { count: problems.length })}</output>
      <UnstyledButton className={classes.problemsHead} aria-expanded={open} onClick={() => setOpen(!open)}>
        {errors > 0 ? (
          <IconCircleX size={16} className={classes.red} aria-hidden />
        ) : (
          <IconAlertTriangle size={16} className={classes.amber} aria-hidden />
        )}
        <span>{t('problems.count', { count: problems.length })}</span>
        {errors === 0 && <span className={classes.dim}>{t('problems.onlyWarnings')}</span>}
        <IconChevronDown size={16} aria-hidden data-open={open || undefined} className={classes.chevron} />
      </UnstyledButton>
      {open && <ProblemList problems={problems} />}
    </section>
  )
})

/** Problems as lines that lead to their places. */
export function ProblemList({ problems, onGo }: { problems: readonly Problem[]; onGo?: () => void }) {
  const t = useT()
  const catalogue = useCatalogueText()
  const { document, goTo } = useEditor()
  const [, setSearch] = useSearchParams()
  // As the steps stand in the outline; what belongs to no step comes first.
  const sorted = useMemo(() => {
    const places = new Map(stepsInOrder(document).map(({ id }, at) => [id, at]))
    const placeOf = ({ stepId }: Problem) => (stepId === null ? -1 : (places.get(stepId) ?? places.size))
    return problems.toSorted((one, other) => placeOf(one) - placeOf(other))
  }, [document, problems])
  const jump = ({ stepId, field, path }: Problem) => {
    if (stepId !== null) {
      setSearch(() => new URLSearchParams(), { replace: true, preventScrollReset: true })
      goTo(stepId, field)
    } else if (/^(inputs|variables)\b/.test(path))
      setSearch(() => new URLSearchParams({ tab: 'data' }), { replace: true })
    onGo?.()
  }
  return (
    <ul className={classes.problemList}>
      {sorted.map((problem) => (
        <li key={`${problem.code} ${problem.path} ${JSON.stringify(problem.params)}`}>
          <UnstyledButton className={classes.problem} onClick={() => jump(problem)}>
            {problem.severity === 'error' ? (
              <IconCircleX size={15} className={classes.red} aria-label={t('problems.error')} />
            ) : (
              <IconAlertTriangle size={15} className={classes.amber} aria-label={t('problems.warning')} />
            )}
            <span>
              {problem.stepId !== null && (
                <span className={classes.problemStep}>
                  <bdi>{stepWords(document, problem.stepId, catalogue)}</bdi>{' '}
                  <code className="ltr">{problem.stepId}</code>
                </span>
              )}
              <bdi>{problemText(problem, document, t, catalogue)}</bdi>
            </span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  )
}
