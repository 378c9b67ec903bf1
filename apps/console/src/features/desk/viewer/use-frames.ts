import { useEffect, useState, type RefObject } from 'react'
import { attendedRuns } from '@weft/contract/attended-runs/api'
import { decodeFrame } from '@weft/contract/attended-runs/frame'
import type { FrameMeta } from '@weft/contract/attended-runs/schema'
import { call } from '../../../lib/api.ts'
import { isFailure } from '../../../lib/failure.ts'

const AGAIN_MS = 1500

/** What is known of the page that is shown. */
export interface Shown {
  meta: FrameMeta | null
  /** The pictures do not come just now. */
  lost: boolean
}

/** Draws the pictures of an open browser as they come, until it closes; then `onOver` is told. */
export function useFrames(
  id: string,
  canvas: RefObject<HTMLCanvasElement | null>,
  { enabled, onOver }: { enabled: boolean; onOver: () => void },
): Shown {
  const [shown, setShown] = useState<Shown>({ meta: null, lost: false })
  useEffect(() => {
    if (!enabled) return undefined
    const end = new AbortController()
    const { signal } = end
    const follow = async () => {
      let after = 0
      while (!signal.aborted) {
        try {
          const answer = await call(attendedRuns.frame, { id, after }, { signal })
          if (answer.status === 204) {
            // Nothing moved, or it is over: the run's own record says which.
            onOver()
            continue
          }
          const frame = decodeFrame(new Uint8Array(await answer.arrayBuffer()))
          if (!frame) continue
          after = frame.meta.number
          await draw(canvas.current, frame.jpeg)
          if (!signal.aborted) setShown({ meta: frame.meta, lost: false })
        } catch (error) {
          if (signal.aborted) return
          if (isFailure(error) && error.httpStatus === 409) return onOver()
          setShown((before) => ({ ...before, lost: true }))
          await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
        }
      }
    }
    void follow()
    return () => end.abort()
  }, [id, canvas, enabled, onOver])
  return shown
}

async function draw(canvas: HTMLCanvasElement | null, jpeg: Uint8Array<ArrayBuffer>): Promise<void> {
  if (!canvas) return
  const picture = await createImageBitmap(new Blob([jpeg], { type: 'image/jpeg' }))
  if (canvas.width !== picture.width) canvas.width = picture.width
  if (canvas.height !== picture.height) canvas.height = picture.height
  canvas.getContext('2d')?.drawImage(picture, 0, 0)
  picture.close()
}
