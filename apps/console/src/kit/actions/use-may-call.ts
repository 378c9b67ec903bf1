import type { Endpoint } from '@weft/contract/core/endpoint'
import { useCan } from '../../lib/can.ts'

/** Whether this person may make a call at all. */
export function useMayCall(): (endpoint: Endpoint) => boolean {
  const may = useCan()
  return ({ access }) => (typeof access === 'object' ? may(access.action, access.subject) : true)
}
