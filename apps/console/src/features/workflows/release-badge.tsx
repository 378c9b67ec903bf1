import type { WorkflowRow } from '@weft/contract/workflows/schema'
import { StatusBadge } from '../../kit/status/status-badge.tsx'
import { useT } from './text.ts'
import classes from './workflows.module.css'

/** The newest release of a workflow, and whether the draft has gone on since. */
export function ReleaseBadge({
  workflow,
}: {
  workflow: Pick<WorkflowRow, 'publishedRelease' | 'hasUnpublishedChanges'>
}) {
  const t = useT()
  const { publishedRelease, hasUnpublishedChanges } = workflow
  if (publishedRelease === null) return <StatusBadge value="draft" tone="neutral" text={t('release.none')} />
  return (
    <span className={classes.badges}>
      <StatusBadge value="published" tone="green" text={t('release.number', { number: publishedRelease })} />
      {hasUnpublishedChanges && <StatusBadge value="changed" tone="amber" text={t('release.changed')} />}
    </span>
  )
}
