import { views } from '@weft/contract/views/api'
import type { ViewsOfList } from '@weft/contract/views/schema'
import { call } from '../../../lib/api.ts'

/** Reads the views of a list. */
export function readViews(list: string, signal: AbortSignal): Promise<ViewsOfList> {
  return call(views.list, { list }, { signal })
}
