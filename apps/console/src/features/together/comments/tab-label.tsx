import type { CommentSummary } from '@weft/contract/workflow-comments/schema'
import { useFormats } from '../../../lib/formats.ts'
import { useT } from '../text.ts'
import classes from './comments.module.css'

/** The name of the tab, with how many threads are open and whether there is anything new in them. */
export function CommentsLabel({ said }: { said: CommentSummary | undefined }) {
  const t = useT()
  const formats = useFormats()
  return (
    <span className={classes.label}>
      {t('tab')}
      {said && said.open > 0 && (
        <span className={classes.count} data-unread={said.unread > 0 || undefined} aria-hidden>
          {formats.number(said.open)}
        </span>
      )}
      {said && said.unread > 0 && <span className="unseen">{t('unread', { count: said.unread })}</span>}
    </span>
  )
}
