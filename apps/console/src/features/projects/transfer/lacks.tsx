import { Alert } from '@mantine/core'
import type { Lack } from '@weft/contract/projects/transfer'
import { useT } from '../text.ts'
import classes from '../projects.module.css'

/** What workflows need and do not get, one line each. */
export function Lacks({ list, title }: { list: readonly Lack[]; title: string }) {
  const t = useT()
  if (list.length === 0) return null
  return (
    <Alert color="yellow" variant="light" title={title}>
      <ul className={classes.lacks}>
        {list.map(({ workflowId, workflowName, kind, name }) => (
          <li key={`${workflowId} ${kind} ${name}`}>
            {t(`transfer.lack.${kind}`, { workflow: workflowName, name })}
          </li>
        ))}
      </ul>
    </Alert>
  )
}
