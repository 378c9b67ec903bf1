import { useEffect } from 'react'
import { useLatest } from '../use-latest.ts'
import { watches, type StreamFeature } from './watches.ts'

/** Listens to the live stream of a record while the component is there. */
export function useWatch(
  feature: StreamFeature,
  id: string | null | undefined,
  onMessage: (message: unknown) => void,
): void {
  const latest = useLatest(onMessage)
  useEffect(() => {
    if (!id) return undefined
    return watches.add(feature, id, (message) => latest.current(message))
  }, [feature, id, latest])
}
