import { useEffect, type RefObject } from 'react'
import { useLatest } from '../../lib/use-latest.ts'
import type { ListHandle } from './handle.ts'

const NEAR = ['pointerenter', 'focusin'] as const

/** Has a list listen to its keys, as soon as somebody comes near it. */
export function useListKeys<T>(scroller: RefObject<HTMLElement | null>, list: ListHandle<T>): void {
  const latest = useLatest(list)
  useEffect(() => {
    const box = scroller.current
    if (!box) return undefined
    let end: (() => void) | undefined
    let over = false
    // A double click that comes before what understands it is not lost.
    let clicked: EventTarget | null = null
    const remember = (event: MouseEvent) => {
      clicked = event.target
    }
    const listen = async () => {
      box.addEventListener('dblclick', remember)
      const keys = await import('./keys.ts').catch(() => undefined)
      box.removeEventListener('dblclick', remember)
      if (over) return
      if (!keys) {
        // Nothing was asked for by name, so nothing is said; who comes near again tries again.
        clicked = null
        return wait()
      }
      end = keys.listenToKeys(box, latest)
      if (clicked instanceof Element && box.contains(clicked))
        clicked.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))
      return undefined
    }
    const come = () => {
      for (const event of NEAR) box.removeEventListener(event, come)
      void listen()
    }
    const wait = () => {
      for (const event of NEAR) box.addEventListener(event, come)
    }
    wait()
    return () => {
      over = true
      for (const event of NEAR) box.removeEventListener(event, come)
      end?.()
    }
  }, [scroller, latest])
}
