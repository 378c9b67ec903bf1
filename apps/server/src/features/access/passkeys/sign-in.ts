import { and, eq } from 'drizzle-orm'
import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server'
import type { PasskeyUsed } from '@weft/contract/access/two-steps/schema'
import { AppError } from '../../../kit/app-error.ts'
import type { Tx } from '../../../kit/context.ts'
import type { TicketRow } from '../two-steps/table.ts'
import { siteOf } from './site.ts'
import { passkey, type PasskeyRow } from './table.ts'

type Site = { publicUrl: string }

/** What a browser is asked to sign to show one of somebody's passkeys. */
export async function signInOptions(tx: Tx, settings: Site, userId: string) {
  const keys = await tx.select().from(passkey).where(eq(passkey.userId, userId))
  return generateAuthenticationOptions({
    rpID: siteOf(settings).rpID,
    allowCredentials: keys.map(({ credentialId: id, transports }) => ({ id, transports })),
    // The password was the first step; the key is the second.
    userVerification: 'discouraged',
  })
}

/** Takes what a passkey has signed for an open sign-in; a copy of the key, told by its counter, is refused. */
export async function takePasskey(
  tx: Tx,
  settings: Site,
  shown: { row: TicketRow; passkey: PasskeyUsed; now: Date },
): Promise<void> {
  const { row, now } = shown
  const [key] = await tx
    .select()
    .from(passkey)
    .where(and(eq(passkey.credentialId, shown.passkey.id), eq(passkey.userId, row.userId)))
    .for('update')
  if (!key || row.challenge === null) throw new AppError('passkey.refused')
  const counter = await verified(settings, row.challenge, shown.passkey, key)
  if (counter === undefined) throw new AppError('passkey.refused')
  await tx.update(passkey).set({ counter, lastUsedAt: now }).where(eq(passkey.id, key.id))
}

/** The key's counter after this use, where what was signed fits. */
async function verified(
  settings: Site,
  expectedChallenge: string,
  { authenticatorAttachment, response, ...used }: PasskeyUsed,
  key: PasskeyRow,
): Promise<number | undefined> {
  const { rpID, origin } = siteOf(settings)
  try {
    const { verified: fits, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...used,
        response: { ...response, userHandle: response.userHandle ?? undefined },
        authenticatorAttachment: authenticatorAttachment ?? undefined,
      },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: false,
      credential: {
        id: key.credentialId,
        publicKey: new Uint8Array(key.publicKey),
        counter: key.counter,
        transports: key.transports,
      },
    })
    return fits ? authenticationInfo.newCounter : undefined
  } catch {
    // The library throws for everything that does not fit; what exactly is nobody's business outside.
    return undefined
  }
}
