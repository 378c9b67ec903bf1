import { useEffect } from 'react'

/** Keeps the keyboard's focus in the page from the first time that something has it; until then nothing is loaded for it. */
export function useKeptFocus(): void {
  useEffect(() => {
    let stop: (() => void) | undefined
    let isOver = false
    const begin = async () => {
      const { keepFocus } = await import('./keep-focus.ts')
      if (!isOver) stop = keepFocus()
    }
    const onFocus = () => void begin()
    addEventListener('focusin', onFocus, { once: true })
    return () => {
      isOver = true
      removeEventListener('focusin', onFocus)
      stop?.()
    }
  }, [])
}
