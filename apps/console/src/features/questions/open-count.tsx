import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { questions } from '@weft/contract/questions/api'
import { call } from '../../lib/api.ts'
import { queryClient } from '../../lib/query.ts'
import classes from './open-count.module.css'
import { useT } from './text.ts'

/** Runs tell of themselves many times a second while a campaign is busy; it is counted anew this often at most. */
const AT_MOST_EVERY_MS = 5000
const KEY = ['questions.open']
let countedAt = 0

async function countOpen({ signal }: { signal: AbortSignal }): Promise<number> {
  const wait = countedAt + AT_MOST_EVERY_MS - Date.now()
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
  // Asked for anew meanwhile: the later one counts.
  signal.throwIfAborted()
  countedAt = Date.now()
  const { totalRecord } = await call(questions.list, { state: ['open'], perPage: 1 })
  // Counts also where the next change has come meanwhile: with many changes that is always so.
  queryClient.setQueryData(KEY, totalRecord)
  return totalRecord
}

/** How many questions wait for this person's answer; nothing where none does. */
export default function OpenCount() {
  const t = useT()
  const { data: count = 0 } = useQuery({
    queryKey: KEY,
    queryFn: countOpen,
    // A question is asked and answered with its run, and those who are asked get a notification.
    meta: { live: ['runs', 'notifications'] },
  })
  if (count === 0) return null
  const words = t('open', { count })
  return (
    <span className={classes.count} title={words}>
      <span aria-hidden>{count > 99 ? '99+' : count}</span>
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  )
}
