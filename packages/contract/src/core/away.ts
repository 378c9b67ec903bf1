/** Answers of what stands before the server, where the server is not there. */
const AWAY: ReadonlySet<number> = new Set([0, 502, 503, 504])

/** What a call means that brought no error body of ours; 0 where nothing answered at all. */
export function codeWithoutBody(status: number): 'network.unreachable' | 'system.failed' {
  return AWAY.has(status) ? 'network.unreachable' : 'system.failed'
}
