import type { Person } from '@weft/contract/users/schema'
import { store } from '../../lib/emitter.ts'

/** A one-time link that was just made, to be shown once. */
export interface MadeLink {
  /** For an invitation, or handed out to somebody who was there already. */
  kind: 'invited' | 'handedOut'
  person: Pick<Person, 'displayName' | 'email'>
  url: string
  expiresAt: string
}

/** The link that is shown now. */
export const shownLink = store<MadeLink | null>(null)

/** Somebody who is to leave their belongings to another, or to be deleted. */
export interface Leaving {
  person: Person
  deletes: boolean
  onDone?: () => void
}

/** Who is leaving now. */
export const leaving = store<Leaving | null>(null)
