import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { imports } from '@weft/contract/imports/api'
import { importCheckSchema, type Import, type ImportCheck } from '@weft/contract/imports/schema'
import { call, callAny } from '../../lib/api.ts'
import { saveResponse } from '../../lib/download.ts'
import { isOutOfReach } from '../../lib/failure.ts'
import { featureOf, invalidateFeatures, useRead } from '../../lib/query.ts'
import { rememberMapping, rememberedMapping } from './remembered.ts'
import { keepRunningImport, runningImport } from './running.ts'
import { fittingMapping, type ImportReading, type ImportSource } from './source.ts'

/** How rows that exist already are treated. */
export type Duplicates = 'skip' | 'update' | 'refuse'

const POLL_MS = 700

/** One import from the rows to its end; one that this tab has under way is taken up where it is. */
export function useImport(endpoint: Endpoint) {
  const client = useQueryClient()
  const feature = featureOf(endpoint.name)
  const [source, setSource] = useState<ImportSource | null>(null)
  const [reading, setReading] = useState<ImportReading>({})
  const [check, setCheck] = useState<ImportCheck | null>(null)
  const [takenUp, setTakenUp] = useState(() => runningImport(feature))
  const [applied, setApplied] = useState<Import | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const id = applied?.id ?? takenUp
  const known = applied ?? undefined
  const unsettled = id !== null && (known === undefined || known.state === 'running')
  const polled = useRead(
    imports.get,
    { id: id ?? '' },
    { enabled: unsettled, ...(unsettled ? { every: POLL_MS } : {}) },
  )
  const progress = id !== null && polled.data?.id === id ? newer(known, polled.data) : (known ?? null)
  const state = progress?.state
  if (progress && state !== 'running' && applied?.state === 'running') setApplied(progress)

  // What was under way was cleared away, or is somebody else's who was in this tab before.
  const lost = takenUp !== null && !applied && isOutOfReach(polled.error)
  if (lost) setTakenUp(null)
  useEffect(() => {
    if (id === null) keepRunningImport(feature, null)
  }, [id, feature])

  useEffect(() => {
    if (state === undefined || id === null) return
    keepRunningImport(feature, state === 'running' ? id : null)
    if (state !== 'running') void invalidateFeatures([feature, 'imports'], client)
  }, [state, id, feature, client])

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

  const upload = async (from: ImportSource, how: ImportReading, mapping?: Record<string, string>) =>
    importCheckSchema.parse(
      await callAny(
        endpoint,
        {
          format: 'auto',
          ...how,
          ...(from.fileName ? { fileName: from.fileName } : {}),
          ...(mapping ? { mapping: JSON.stringify(mapping) } : {}),
        },
        { body: from.body },
      ),
    )

  const look = (from: ImportSource, how: ImportReading) =>
    attempt(async () => {
      const first = await upload(from, how)
      // The same columns were mapped by hand before: they mean the same again.
      const mapping = fittingMapping(rememberedMapping(feature, first.columns), first)
      setSource(from)
      setReading(how)
      setCheck(mapping ? await upload(from, how, mapping) : first)
    })

  return {
    feature,
    check,
    progress: progress && progress.state !== 'checked' ? progress : null,
    busy,
    failure,
    begin: (from: ImportSource) => look(from, {}),
    /** Reads the same rows in another way. */
    reread: async (change: ImportReading) => {
      if (source) await look(source, { ...reading, ...change })
    },
    /** Checks the same rows with other columns. */
    recheck: (mapping: Record<string, string>) =>
      attempt(async () => {
        if (!source) return
        const again = await upload(source, reading, mapping)
        rememberMapping(feature, again.columns, mapping)
        setCheck(again)
      }),
    apply: (take: 'all' | 'good', duplicates: Duplicates) =>
      attempt(async () => {
        if (check) setApplied(await call(imports.apply, { id: check.import.id, take, duplicates }))
      }),
    undo: (of?: Import) =>
      attempt(async () => {
        const target = of ?? progress
        if (!target) return
        setApplied(await call(imports.undo, { id: target.id }))
        void invalidateFeatures([feature, 'imports'], client)
      }),
    /** Shows how an earlier import is, or what came of it. */
    takeUp: (of: Import) => setApplied(of),
    saveRejected: () =>
      attempt(async () => {
        const of = progress?.id ?? check?.import.id
        if (of) await saveResponse(await call(imports.rejected, { id: of }), 'rejected.csv')
      }),
    back: () => {
      setCheck(null)
      setApplied(null)
      setTakenUp(null)
      setFailure(null)
    },
  }
}

/** Of two answers about an import the later one: what is settled does not run again. */
function newer(known: Import | undefined, read: Import): Import {
  return known && known.state !== 'running' ? known : read
}

/** An import that is going on in the wizard. */
export type ImportHandle = ReturnType<typeof useImport>
