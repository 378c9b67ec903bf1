import { projectTransfer } from '@weft/contract/projects/transfer-api'
import { useRead } from '../../lib/query.ts'
import { useT as useProjectText } from '../projects/text.ts'
import { Lacks } from '../projects/transfer/lacks.tsx'

/** What a workflow needs that a project does not give, said before the workflow is moved there. */
export default function LacksThere({ id, projectId }: { id: string; projectId: string }) {
  const t = useProjectText()
  const { data } = useRead(projectTransfer.lacks, { id: projectId, workflowIds: [id] })
  return <Lacks list={data ?? []} title={t('transfer.lacks')} />
}
