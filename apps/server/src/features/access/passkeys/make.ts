import { and, eq, gt } from 'drizzle-orm'
import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server'
import type { PasskeyMade } from '@weft/contract/access/two-steps/schema'
import { AppError } from '../../../kit/app-error.ts'
import type { CallContext, Tx } from '../../../kit/context.ts'
import { newId } from '../../../kit/id.ts'
import { siteOf } from './site.ts'
import { passkey, passkeyChallenge, type PasskeyRow } from './table.ts'

type Site = { publicUrl: string }

/** EdDSA, ES256 and RS256: what every authenticator in use has one of. */
const ALGORITHMS = [-8, -7, -257]
const CHALLENGE_MS = 5 * 60_000
export const PASSKEYS_MAX = 20

/** What a browser is asked to make; kept for its session, good for five minutes. */
export async function makeOptions(
  ctx: Pick<CallContext, 'tx' | 'sessionId' | 'user'>,
  settings: Site,
  at: { site: string; now: Date },
) {
  const keys = await ctx.tx.select().from(passkey).where(eq(passkey.userId, ctx.user.id))
  if (keys.length >= PASSKEYS_MAX) throw new AppError('passkey.too_many', { maximum: PASSKEYS_MAX })
  const options = await generateRegistrationOptions({
    rpName: at.site,
    rpID: siteOf(settings).rpID,
    userName: ctx.user.username,
    userDisplayName: ctx.user.displayName,
    userID: new Uint8Array(Buffer.from(ctx.user.id)),
    excludeCredentials: keys.map(({ credentialId: id, transports }) => ({ id, transports })),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  const { challenge } = options
  const expiresAt = new Date(at.now.getTime() + CHALLENGE_MS)
  await ctx.tx
    .insert(passkeyChallenge)
    .values({ sessionId: ctx.sessionId, challenge, expiresAt })
    .onConflictDoUpdate({ target: passkeyChallenge.sessionId, set: { challenge, expiresAt } })
  return options
}

/** Keeps a passkey that the browser made for this session's challenge, which is used up. */
export async function keepPasskey(
  ctx: Pick<CallContext, 'tx' | 'sessionId' | 'user'>,
  settings: Site,
  made: { name: string; passkey: PasskeyMade; now: Date },
): Promise<PasskeyRow> {
  const challenge = await takeChallenge(ctx.tx, ctx.sessionId, made.now)
  const registered = challenge && (await verified(settings, challenge, made.passkey))
  if (!registered) throw new AppError('passkey.refused')
  const { credential, credentialBackedUp } = registered
  const [row] = await ctx.tx
    .insert(passkey)
    .values({
      id: newId(),
      userId: ctx.user.id,
      name: made.name,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: credential.transports ?? [],
      backedUp: credentialBackedUp,
      createdAt: made.now,
    })
    .onConflictDoNothing()
    .returning()
  // A key that somebody has here already, whoever it is.
  if (!row) throw new AppError('passkey.refused')
  return row
}

async function takeChallenge(tx: Tx, sessionId: string, now: Date): Promise<string | undefined> {
  const [taken] = await tx
    .delete(passkeyChallenge)
    .where(and(eq(passkeyChallenge.sessionId, sessionId), gt(passkeyChallenge.expiresAt, now)))
    .returning({ challenge: passkeyChallenge.challenge })
  return taken?.challenge
}

async function verified(
  settings: Site,
  expectedChallenge: string,
  { authenticatorAttachment, response, ...made }: PasskeyMade,
) {
  const { rpID, origin } = siteOf(settings)
  const { publicKey, ...rest } = response
  try {
    const answer = await verifyRegistrationResponse({
      response: {
        ...made,
        response: { ...rest, publicKey: publicKey ?? undefined },
        authenticatorAttachment: authenticatorAttachment ?? undefined,
      },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    return answer.registrationInfo
  } catch {
    // The library throws for everything that does not fit; what exactly is nobody's business outside.
    return undefined
  }
}
