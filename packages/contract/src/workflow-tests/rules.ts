import type { WorkflowTest } from './schema.ts'
import type { TestStanding } from './standing.ts'

/** How a test stands toward a document of this hash. */
export function standingOf(
  {
    last,
    revision,
  }: Pick<WorkflowTest, 'revision'> & {
    last: Pick<NonNullable<WorkflowTest['last']>, 'documentHash' | 'revision' | 'verdict'> | null
  },
  documentHash: string,
): TestStanding {
  if (!last) return 'never'
  if (last.verdict === 'running') return 'running'
  if (last.documentHash !== documentHash || last.revision !== revision) return 'stale'
  return last.verdict
}
