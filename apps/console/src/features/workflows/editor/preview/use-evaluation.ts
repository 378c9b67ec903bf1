import { useEffect, useState } from 'react'
import type { Json } from '@weft/workflow/json'
import type { EvaluateRequest } from '@weft/workflow/interpret/types'
import type { KnownValues } from '../../model/preview/known-values.ts'
import { evaluateAside } from './evaluate-aside.ts'

/** What an evaluation gave. */
export type Evaluated = { ok: true; value: Json } | { ok: false; message: string }

/** So long after the last letter it is evaluated. */
const CALM_MS = 80

/** The value of a text, worked out aside a moment after the typing; the last one stays until there is another. */
export function useEvaluation(request: EvaluateRequest | null, known: KnownValues): Evaluated | null {
  const [result, setResult] = useState<Evaluated | null>(null)
  useEffect(() => {
    if (!request) return undefined
    let wanted = true
    const evaluate = async () => {
      const found = await evaluateAside(request, known)
      if (wanted) setResult(found)
    }
    const timer = setTimeout(() => void evaluate(), CALM_MS)
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [request, known])
  return request ? result : null
}
