import { useEffect, useRef } from 'react'
import { matchPath } from 'react-router'
import type { Move } from '../lib/navigation/history.ts'
import type { PageRoute } from '../lib/navigation/route-table.ts'

/** Room above an anchor, for the navbar. */
export const ANCHOR_OFFSET = 60

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
  useEffect(() => {
    const kept = places.current
    const keep = () => kept.set(last.current.place.key, window.scrollY)
    addEventListener('scroll', keep, { passive: true })
    return () => removeEventListener('scroll', keep)
  }, [])
  useEffect(() => {
    const before = last.current
    last.current = move
    if (before === move) return
    const { hash, pathname, key } = move.place
    if (hash) {
      const target = document.getElementById(decodeURIComponent(hash.slice(1)))
      if (target)
        window.scrollTo({
          top: target.getBoundingClientRect().top + window.scrollY - ANCHOR_OFFSET,
          behavior: 'smooth',
        })
      return
    }
    if (move.keepScroll || pageOf(before.place.pathname, routes) === pageOf(pathname, routes)) return
    window.scrollTo(0, move.how === 'pop' ? (places.current.get(key) ?? 0) : 0)
  }, [move, routes])
}
