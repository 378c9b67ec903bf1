/** What another page of the sign-in says when it sends the person back to it. */
export interface SentHere {
  /** What was typed before. */
  username?: string
  notice?: 'passwordSet' | 'ticketEnded'
}

/** Reads it out of the place in the browser's history. */
export function readSentHere(state: unknown): SentHere {
  if (state === null || typeof state !== 'object') return {}
  const username = 'username' in state && typeof state.username === 'string' ? state.username : undefined
  const notice = 'notice' in state ? state.notice : undefined
  return {
    ...(username === undefined ? {} : { username }),
    ...(notice === 'passwordSet' || notice === 'ticketEnded' ? { notice } : {}),
  }
}

/** The query of the sign-in's pages: where to go afterwards goes along through all steps. */
export function nextSearch(nextUrl: string | null): string {
  return nextUrl ? `?nextUrl=${encodeURIComponent(nextUrl)}` : ''
}
