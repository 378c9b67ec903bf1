import { ACTIONS, SUBJECTS, type Rule } from '@weft/contract/core/permissions'
import { actionName, functionName, grantWords } from './words.ts'
import { cellKey, matrixOf, stateOf, type Cell } from './model/cells.ts'
import classes from './roles.module.css'
import { useT } from './text.ts'

/** What rules allow, function by function, in words. */
export function AbilityWords({ rules }: { rules: readonly Rule[] }) {
  const t = useT()
  const matrix = matrixOf(rules)
  const lines = SUBJECTS.flatMap((subject) => {
    const groups = new Map<string, string[]>()
    for (const action of ACTIONS) {
      const cell = matrix[cellKey(subject, action)]
      if (!cell || stateOf(cell) === 'no') continue
      const limits = limitsOf(subject, cell).join(' · ')
      groups.set(limits, [...(groups.get(limits) ?? []), actionName(action)])
    }
    return groups.size === 0 ? [] : [{ subject, groups: [...groups] }]
  })
  return (
    <dl className={classes.abilities}>
      {lines.map(({ subject, groups }) => (
        <div key={subject} className={classes.ability}>
          <dt>{functionName(subject)}</dt>
          <dd>
            {groups.map(([limits, actions]) => (
              <div key={limits}>
                {actions.join(t('words.separator'))}
                {limits && <span className={classes.limit}>{limits}</span>}
              </div>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )

  function limitsOf(subject: (typeof SUBJECTS)[number], cell: Cell): string[] {
    const allowed = cell.allows.map((grant) => grantWords(subject, grant))
    const either = allowed.some((words) => words.length === 0)
      ? []
      : [allowed.map((words) => words.join(', ')).join(` ${t('words.or')} `)]
    const forbidden = cell.forbids.map((grant) =>
      t('words.except', { what: grantWords(subject, grant).join(', ') }),
    )
    return [...either, ...forbidden]
  }
}
