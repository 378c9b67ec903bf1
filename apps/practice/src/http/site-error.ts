import type { Text } from '../text/en.ts'

/** What the site can say about a failure. */
export type ErrorCode = Exclude<keyof Text['errors'], 'title' | 'home'>

/** A failure with an answer: a page for people, JSON for `/api`. */
export class SiteError extends Error {
  readonly status: number
  readonly code: ErrorCode
  constructor(status: number, code: ErrorCode) {
    super(code)
    this.status = status
    this.code = code
  }
}
