import { agents } from '@weft/contract/agents/api'
import { clientOf, type CallError, type ClientOf } from '@weft/contract/core/client'

/** The agent's calls as functions. */
export type AgentApi = ClientOf<typeof agents>

/** Calls to a server. `reopen` opens a new session when the token is no longer taken, and the call is tried again. */
export function createApi(options: {
  serverUrl: string
  token: () => string | undefined
  reopen?: () => Promise<void>
}): AgentApi {
  const { serverUrl, token, reopen } = options
  return clientOf(
    {
      baseUrl: serverUrl,
      headers: (): Record<string, string> => {
        const value = token()
        return value === undefined ? {} : { authorization: `Bearer ${value}` }
      },
      onError: async (error: CallError, endpoint) => {
        if (error.httpStatus !== 401 || endpoint.access !== 'agent' || !reopen) return 'throw'
        await reopen()
        return 'retry'
      },
    },
    agents,
  )
}
