import { and, eq, gt, lt, sql } from 'drizzle-orm'
import type { NextStep } from '@weft/contract/access/two-steps/schema'
import { AppError } from '../../../kit/app-error.ts'
import type { Tx } from '../../../kit/context.ts'
import { iso } from '../../../kit/record.ts'
import { isActive } from '../conditions.ts'
import { appUser, type UserRow } from '../table.ts'
import { hashToken, newToken } from '../tokens.ts'
import { methodsOf, twoStepsOf } from './factors.ts'
import { signInTicket, type TicketRow } from './table.ts'

const STEP_MS = 5 * 60_000
/** Setting an authenticator up takes longer than reading it. */
const ENROL_MS = 15 * 60_000
const ATTEMPTS = 5

/** What the sign-in of somebody asks for next; undefined where nothing is. */
export async function nextStep(
  tx: Tx,
  of: { userId: string; remembered: boolean; now: Date },
): Promise<NextStep | undefined> {
  const { userId, remembered, now } = of
  const factors = await twoStepsOf(tx, userId)
  const methods = methodsOf(factors)
  const enrol = methods.length === 0
  if (enrol && !factors.required) return undefined
  const ticket = newToken()
  const expiresAt = new Date(now.getTime() + (enrol ? ENROL_MS : STEP_MS))
  await tx.insert(signInTicket).values({ hash: hashToken(ticket), userId, remembered, enrol, expiresAt })
  return { twoSteps: { ticket, methods, enrol, expiresAt: iso(expiresAt) } }
}

/** A ticket with its person. */
export interface Ticket {
  row: TicketRow
  user: UserRow
}

/** The open sign-in of a ticket; one that is unknown, over, used, or of the other kind is refused. */
export async function readTicket(db: Tx, ticket: string, enrol: boolean, now: Date): Promise<Ticket> {
  const [found] = await db
    .select({ row: signInTicket, user: appUser })
    .from(signInTicket)
    .innerJoin(appUser, eq(appUser.id, signInTicket.userId))
    .where(
      and(
        eq(signInTicket.hash, hashToken(ticket)),
        eq(signInTicket.enrol, enrol),
        gt(signInTicket.expiresAt, now),
        lt(signInTicket.attempts, ATTEMPTS + 1),
        isActive(),
      ),
    )
  if (!found) throw new AppError('auth.ticket_ended')
  return found
}

/** Counts a try with a ticket before it is judged, so that many at once are counted too; after five it is worth nothing. */
export async function countTicketTry(db: Tx, ticket: string): Promise<void> {
  const counted = await db
    .update(signInTicket)
    .set({ attempts: sql`${signInTicket.attempts} + 1` })
    .where(and(eq(signInTicket.hash, hashToken(ticket)), lt(signInTicket.attempts, ATTEMPTS)))
    .returning({ attempts: signInTicket.attempts })
  if (counted.length === 0) throw new AppError('auth.ticket_ended')
}

/** Uses a ticket up. Of two who come at once, one finds it gone. */
export async function takeTicket(tx: Tx, ticket: string): Promise<void> {
  const taken = await tx
    .delete(signInTicket)
    .where(eq(signInTicket.hash, hashToken(ticket)))
    .returning({ userId: signInTicket.userId })
  if (taken.length === 0) throw new AppError('auth.ticket_ended')
}
