import { z } from 'zod'
import type { Selection } from '@weft/contract/core/record'
import { trash } from '@weft/contract/trash/api'
import { TRASH_KINDS, type TrashKind } from '@weft/contract/trash/schema'
import { call } from '../../lib/api.ts'
import { CALLS } from './calls.ts'

/** What is chosen of one kind, as that kind's own calls take it. */
export interface Share {
  kind: TrashKind
  selection: Selection
}

/** So many ids a call takes. */
const MOST_IDS = 10_000
const PAGE = 1000

const query = z.object({ q: z.string().optional(), kind: z.string().optional(), own: z.unknown().optional() })

/** Parts what is chosen in the trash by kind; what the kinds' own lists cannot be asked for is looked up. */
export async function sharesOf(chosen: Selection): Promise<Share[]> {
  if ('ids' in chosen) return grouped(chosen.ids)
  const { q, kind, own } = query.parse(chosen.query)
  const asked = kind ? TRASH_KINDS.filter((one) => kind.split(',').includes(one)) : TRASH_KINDS
  const whole = asked.filter((one) => CALLS[one].bulk && own === undefined)
  const rest = asked.filter((one) => !whole.includes(one))
  const there = new Set((await call(trash.kinds, {})).flatMap((one) => (one.count > 0 ? [one.kind] : [])))
  const shares: Share[] = whole
    .filter((one) => there.has(one))
    .map((one) => ({ kind: one, selection: { query: q ? { q } : {} } }))
  if (!rest.some((one) => there.has(one))) return shares
  const ids: string[] = []
  for (let page = 1; ids.length < MOST_IDS; page += 1) {
    const found = await call(trash.list, {
      ...(q ? { q } : {}),
      ...(own === undefined ? {} : { own: true }),
      kind: rest,
      page,
      perPage: PAGE,
    })
    ids.push(...found.data.map(({ id }) => id))
    if (page >= found.totalPage) break
  }
  return [...shares, ...grouped(ids)]
}

/** Ids of the trash name the kind. */
export function grouped(ids: readonly string[]): Share[] {
  const parts = Map.groupBy(ids, (id) => id.slice(0, id.indexOf(':')))
  return TRASH_KINDS.flatMap((kind) => {
    const own = parts.get(kind)?.map((id) => id.slice(kind.length + 1))
    return own ? [{ kind, selection: { ids: own } }] : []
  })
}

/** What came of it, over all kinds. `running`: it goes on in the background. */
export interface Sum {
  done: number
  refused: number
  running: boolean
}
