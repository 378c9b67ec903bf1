import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { imports } from '@weft/contract/imports/api'
import { importCheckSchema, type Import, type ImportCheck } from '@weft/contract/imports/schema'
import { call, callAny } from '../../lib/api.ts'
import { saveResponse } from '../../lib/download.ts'
import { featureOf, invalidateFeatures, useRead } from '../../lib/query.ts'
import type { ImportSource } from './source.ts'

/** How rows that exist already are treated. */
export type Duplicates = 'skip' | 'update' | 'refuse'

const POLL_MS = 700

/** One import from the rows to its end. */
export function useImport(endpoint: Endpoint) {
  const client = useQueryClient()
  const feature = featureOf(endpoint.name)
  const [source, setSource] = useState<ImportSource | null>(null)
  const [check, setCheck] = useState<ImportCheck | null>(null)
  const [applied, setApplied] = useState<Import | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const running = applied?.state === 'running'
  const polled = useRead(
    imports.get,
    { id: applied?.id ?? '' },
    { enabled: running, ...(running ? { every: POLL_MS } : {}) },
  )
  const progress = applied && polled.data?.id === applied.id ? polled.data : applied
  const settled = progress !== null && progress.state !== 'running'

  useEffect(() => {
    if (settled) void invalidateFeatures([feature], client)
  }, [settled, feature, client])

  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setFailure(null)
    try {
      await work()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }

  const upload = (from: ImportSource, mapping?: Record<string, string>) =>
    attempt(async () => {
      const answer = await callAny(
        endpoint,
        {
          format: from.format,
          ...(from.fileName ? { fileName: from.fileName } : {}),
          ...(mapping ? { mapping: JSON.stringify(mapping) } : {}),
        },
        { body: from.body },
      )
      setSource(from)
      setCheck(importCheckSchema.parse(answer))
    })

  return {
    feature,
    source,
    check,
    progress: settled || running ? progress : null,
    busy,
    failure,
    begin: (from: ImportSource) => upload(from),
    /** Checks the same rows with other columns. */
    recheck: async (mapping: Record<string, string>) => {
      if (source) await upload(source, mapping)
    },
    apply: (take: 'all' | 'good', duplicates: Duplicates) =>
      attempt(async () => {
        if (check) setApplied(await call(imports.apply, { id: check.import.id, take, duplicates }))
      }),
    undo: () =>
      attempt(async () => {
        if (progress) setApplied(await call(imports.undo, { id: progress.id }))
      }),
    saveRejected: () =>
      attempt(async () => {
        const id = progress?.id ?? check?.import.id
        if (id) await saveResponse(await call(imports.rejected, { id }), 'rejected.csv')
      }),
    back: () => {
      setCheck(null)
      setFailure(null)
    },
  }
}

/** An import that is going on in the wizard. */
export type ImportHandle = ReturnType<typeof useImport>
