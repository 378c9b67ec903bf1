import { useEffect, useRef } from 'react'
import { matchPath } from 'react-router'
import type { Move } from '../lib/navigation/history.ts'
import type { PageRoute } from '../lib/navigation/route-table.ts'

/** Room above an anchor, for the navbar. */
export const ANCHOR_OFFSET = 60
/** So long an anchor is waited for. */
const ANCHOR_WAIT_MS = 5000
/** What shows that a person moves the page themselves. */
const BY_HAND = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const

/** The page that a path belongs to: a drawer over a list is still the list. */
export function pageOf(pathname: string, routes: readonly PageRoute[]): string {
  for (const route of routes) {
    if (matchPath(route.path, pathname)) return route.path
    if (route.inside.some(({ path }) => matchPath(`${route.path}/${path}`, pathname))) return route.path
  }
  return pathname
}

/** Goes to the top of a new page, smoothly to an anchor, and back to where one was on the way back. */
export function useScroll(move: Move, routes: readonly PageRoute[]): void {
  const places = useRef(new Map<string, number>())
  const last = useRef(move)
  const begun = useRef(false)
  useEffect(() => {
    const kept = places.current
    const keep = () => kept.set(last.current.place.key, window.scrollY)
    addEventListener('scroll', keep, { passive: true })
    return () => removeEventListener('scroll', keep)
  }, [])
  useEffect(() => {
    const before = last.current
    last.current = move
    const { hash, pathname, key } = move.place
    // The first page's anchor is gone to as well; a list of routes that is read anew moves nothing.
    if (before === move && begun.current) return undefined
    begun.current = true
    if (hash) return scrollToAnchor(anchorOf(hash))
    if (before === move) return undefined
    if (move.keepScroll || pageOf(before.place.pathname, routes) === pageOf(pathname, routes))
      return undefined
    window.scrollTo(0, move.how === 'pop' ? (places.current.get(key) ?? 0) : 0)
    return undefined
  }, [move, routes])
}

/** The id that a hash names; one that is no text is none. */
export function anchorOf(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return ''
  }
}

/**
 * Goes smoothly to an anchor, and again while its page still grows, until the person moves or it has had time enough. Gives
 * the way to stop.
 */
function scrollToAnchor(id: string): () => void {
  const go = () => {
    const target = id === '' ? null : document.getElementById(id)
    if (!target) return
    const top = Math.round(target.getBoundingClientRect().top + window.scrollY - ANCHOR_OFFSET)
    if (Math.abs(top - window.scrollY) > 1) window.scrollTo({ top, behavior: 'smooth' })
  }
  const growing = new ResizeObserver(go)
  const stop = () => {
    growing.disconnect()
    clearTimeout(limit)
    for (const kind of BY_HAND) removeEventListener(kind, stop)
  }
  const limit = setTimeout(stop, ANCHOR_WAIT_MS)
  for (const kind of BY_HAND) addEventListener(kind, stop, { passive: true, once: true })
  // Told once at the beginning, and at every change.
  growing.observe(document.body)
  return stop
}
