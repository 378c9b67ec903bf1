import type { To } from 'react-router'
import { emitter } from '../emitter.ts'
import { hasGuards, mayLeave } from './guards.ts'

/** A place in the browser's history. */
export interface Place {
  pathname: string
  search: string
  hash: string
  state: unknown
  key: string
}

/** A change of place. `keepScroll` leaves the page where it is. */
export interface Move {
  place: Place
  how: 'push' | 'replace' | 'pop'
  keepScroll: boolean
}

interface Entry {
  usr: unknown
  key: string
  idx: number
}

/** Told of every change of place. */
export const moved = emitter<Move>()

function readEntry(): Entry {
  const state: unknown = history.state
  if (state !== null && typeof state === 'object' && 'idx' in state && typeof state.idx === 'number')
    return {
      idx: state.idx,
      key: 'key' in state && typeof state.key === 'string' ? state.key : 'default',
      usr: 'usr' in state ? state.usr : null,
    }
  return { usr: null, key: 'default', idx: 0 }
}

/** Where the browser is now. */
export function currentPlace(): Place {
  const { pathname, search, hash } = location
  const { usr, key } = readEntry()
  return { pathname, search, hash, state: usr, key }
}

/** An address as the browser writes it. */
export function hrefOf(to: To): string {
  if (typeof to === 'string') return to
  const { pathname = '/', search = '', hash = '' } = to
  return `${pathname}${search && !search.startsWith('?') ? '?' : ''}${search}${hash && !hash.startsWith('#') ? '#' : ''}${hash}`
}

let index = 0
/** A refusal is being asked for: the browser's own moves meanwhile are ours. */
let asking = false

/** Whether a move leaves what a guard may protect: another path or another tab of the page. */
function leaves(to: URL): boolean {
  const tab = (search: string) => new URLSearchParams(search).get('tab')
  return to.pathname !== location.pathname || tab(to.search) !== tab(location.search)
}

async function go(how: 'push' | 'replace', to: To, state: unknown, keepScroll: boolean): Promise<void> {
  const href = hrefOf(to)
  const url = new URL(href, location.href)
  if (hasGuards() && leaves(url) && !(await mayLeave(href))) return
  const key = Math.random().toString(36).slice(2, 10)
  if (how === 'push') index += 1
  const entry: Entry = { usr: state ?? null, key, idx: index }
  if (how === 'push') history.pushState(entry, '', href)
  else history.replaceState(entry, '', href)
  moved.emit({ place: currentPlace(), how, keepScroll })
}

/** What React Router moves by. */
export const navigator = {
  createHref: hrefOf,
  push: (to: To, state?: unknown, options?: { preventScrollReset?: boolean }) =>
    void go('push', to, state, options?.preventScrollReset === true),
  replace: (to: To, state?: unknown, options?: { preventScrollReset?: boolean }) =>
    void go('replace', to, state, options?.preventScrollReset === true),
  go: (delta: number) => history.go(delta),
}

/** Follows the browser's back and forward; a guard that refuses brings back the place that was left. */
export function startHistory(): void {
  index = readEntry().idx
  if (history.state === null) history.replaceState({ usr: null, key: 'default', idx: 0 } satisfies Entry, '')
  history.scrollRestoration = 'manual'
  addEventListener('popstate', () => {
    if (asking) return
    const next = readEntry()
    const delta = next.idx - index
    if (hasGuards() && delta !== 0) void askAndPop(next.idx, delta)
    else arrive(next.idx)
  })
}

function arrive(at: number): void {
  index = at
  moved.emit({ place: currentPlace(), how: 'pop', keepScroll: false })
}

/** The browser has moved already: go back, ask, and move again if nobody minds. */
async function askAndPop(at: number, delta: number): Promise<void> {
  asking = true
  try {
    const href = location.pathname + location.search
    await jump(-delta)
    if (!(await mayLeave(href))) return
    await jump(delta)
    arrive(at)
  } finally {
    asking = false
  }
}

function jump(delta: number): Promise<void> {
  return new Promise((resolve) => {
    addEventListener('popstate', () => resolve(), { once: true })
    history.go(delta)
  })
}
