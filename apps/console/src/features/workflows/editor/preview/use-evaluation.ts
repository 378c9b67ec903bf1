import { useEffect, useState } from 'react'
import type { Json, JsonObject } from '@weft/workflow/json'
import type { EvaluateRequest } from '@weft/workflow/interpret/types'
import type { KnownValues } from '../../model/preview/known-values.ts'
import { evaluateAside } from './evaluate-aside.ts'

/** What an evaluation gave. */
export type Evaluated = { ok: true; value: Json } | { ok: false; message: string }

/** The value of a text, worked out aside while it is typed; the last one stays until there is another. */
export function useEvaluation(
  request: EvaluateRequest | null,
  known: KnownValues,
  /** Names that are known beside those of every expression. */
  further: JsonObject | null = null,
): Evaluated | null {
  const [result, setResult] = useState<Evaluated | null>(null)
  useEffect(() => {
    if (!request) return undefined
    const wanting = new AbortController()
    const { signal } = wanting
    const evaluate = async () => {
      const found = await evaluateAside(request, { known, further: further ?? {}, signal })
      if (!signal.aborted) setResult(found)
    }
    void evaluate()
    return () => wanting.abort()
  }, [request, known, further])
  return request ? result : null
}
