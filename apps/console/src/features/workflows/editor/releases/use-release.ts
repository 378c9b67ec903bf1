import { useMemo } from 'react'
import { workflows } from '@weft/contract/workflows/api'
import type { WorkflowDocument } from '@weft/workflow/document'
import { useRead } from '../../../../lib/query.ts'
import { documentFrom } from '../server-document.ts'

/** The content of a release; a release never changes, so it is read once. */
export function useRelease(id: string, number: number | null) {
  const read = useRead(workflows.release, { id, number: number ?? 1 }, { enabled: number !== null })
  const document = useMemo<WorkflowDocument | null>(() => {
    if (number === null || !read.data) return null
    const decoded = documentFrom(read.data.document)
    return decoded.ok ? decoded.value : null
  }, [read.data, number])
  return { read, document }
}
