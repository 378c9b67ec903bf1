import { useEffect, useState } from 'react'
import { useLatest } from '../../../lib/use-latest.ts'

const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true

/** Whether files hang over the window; what is dropped anywhere goes to `onFiles`. */
export function useDroppedFiles(onFiles: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false)
  const take = useLatest(onFiles)
  useEffect(() => {
    let depth = 0
    const end = () => {
      depth = 0
      setOver(false)
    }
    const handlers: Record<string, (event: DragEvent) => void> = {
      dragenter(event) {
        if (!carriesFiles(event)) return
        depth += 1
        setOver(true)
      },
      dragleave() {
        depth = Math.max(0, depth - 1)
        if (depth === 0) setOver(false)
      },
      dragover(event) {
        if (carriesFiles(event)) event.preventDefault()
      },
      drop(event) {
        if (!carriesFiles(event)) return
        event.preventDefault()
        end()
        take.current([...(event.dataTransfer?.files ?? [])])
      },
    }
    const entries = Object.entries(handlers) as [
      keyof Pick<WindowEventMap, 'dragenter' | 'dragleave' | 'dragover' | 'drop'>,
      (event: DragEvent) => void,
    ][]
    for (const [name, handler] of entries) addEventListener(name, handler)
    return () => {
      for (const [name, handler] of entries) removeEventListener(name, handler)
    }
  }, [take])
  return over
}
