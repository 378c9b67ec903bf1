import { useEffect, useState, type RefObject } from 'react'
import { decodeFrame } from '@weft/contract/attended-runs/frame'
import type { FrameMeta } from '@weft/contract/attended-runs/schema'
import type { Emitter } from '../../lib/emitter.ts'
import { isFailure } from '../../lib/failure.ts'
import type { LiveCalls } from './live-calls.ts'
import { metaAfter } from './meta-after.ts'

const AGAIN_MS = 1500

/** What is known of the page that is shown. */
export interface Shown {
  meta: FrameMeta | null
  /** The pictures do not come just now. */
  lost: boolean
}

/**
 * Draws the pictures of an open browser as they come, until it closes; then `onOver` is told. What comes with each of them is
 * told by `heard`; what is given changes only with what is said of the page.
 */
export function useFrames(
  calls: LiveCalls,
  id: string,
  canvas: RefObject<HTMLCanvasElement | null>,
  { enabled, onOver, heard }: { enabled: boolean; onOver: () => void; heard: Emitter<FrameMeta> },
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
          const answer = await calls.frame(id, after, signal)
          if (answer.status === 204) {
            // Nothing moved, or it is over: the run's own record says which.
            onOver()
            continue
          }
          const frame = decodeFrame(new Uint8Array(await answer.arrayBuffer()))
          // Asked for again at once, the same one would come.
          if (!frame) throw new Error('This is not a picture with what is said of it.')
          after = frame.meta.number
          await draw(canvas.current, frame.jpeg)
          if (signal.aborted) return
          heard.emit(frame.meta)
          setShown((before) => {
            const meta = metaAfter(before.meta, frame.meta)
            return meta === before.meta && !before.lost ? before : { meta, lost: false }
          })
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
  }, [calls, id, canvas, enabled, onOver, heard])
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
