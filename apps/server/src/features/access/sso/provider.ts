import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type Configuration,
} from 'openid-client'
import { z } from 'zod'
import { AppError } from '../../../kit/app-error.ts'
import type { Secrets } from '../../../kit/secrets.ts'
import { secretPlace } from './handlers.ts'
import type { ProviderRow } from './table.ts'

const HELD_MS = 10 * 60_000
const WAIT_SECONDS = 10
const held = new Map<string, { configuration: Configuration; version: number; until: number }>()

/** What a provider says of itself, asked for anew after ten minutes and after a change of its settings. */
export async function configurationOf(secrets: Secrets, row: ProviderRow): Promise<Configuration> {
  const known = held.get(row.id)
  if (known && known.version === row.version && known.until > performance.now()) return known.configuration
  const issuer = new URL(row.issuer)
  const secret = row.sealedSecret ? secrets.open(row.sealedSecret, secretPlace(row.id)) : undefined
  try {
    const configuration = await discovery(issuer, row.appKey, secret, undefined, {
      timeout: WAIT_SECONDS,
      // The contract lets only providers on this machine do without TLS.
      execute: issuer.protocol === 'http:' ? [allowInsecureRequests] : [],
    })
    held.set(row.id, { configuration, version: row.version, until: performance.now() + HELD_MS })
    return configuration
  } catch (cause) {
    throw new AppError('sso.unreachable', {}, { cause })
  }
}

/** The secrets of one trip to a provider and back. */
export interface Trip {
  state: string
  nonce: string
  verifier: string
}

/** Where to send a browser, and what to expect when it comes back. */
export async function beginTrip(
  configuration: Configuration,
  { scopes, callback }: { scopes: string; callback: string },
): Promise<{ trip: Trip; url: URL }> {
  const trip = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: callback,
    scope: scopes,
    state: trip.state,
    nonce: trip.nonce,
    code_challenge: await calculatePKCECodeChallenge(trip.verifier),
    code_challenge_method: 'S256',
  })
  return { trip, url }
}

const claimsSchema = z.object({
  sub: z.string().min(1).max(255),
  email: z.email().max(254).optional().catch(undefined),
  email_verified: z.union([z.boolean(), z.literal('true').transform(() => true)]).catch(false),
  name: z.string().trim().min(1).max(120).optional().catch(undefined),
  preferred_username: z.string().optional().catch(undefined),
})
/** What a provider says of somebody. */
export type Claims = z.infer<typeof claimsSchema>

/** Trades the code for what the provider says of the person; state, nonce, PKCE, issuer and signature are checked. */
export async function endTrip(configuration: Configuration, returned: URL, trip: Trip): Promise<Claims> {
  try {
    const tokens = await authorizationCodeGrant(configuration, returned, {
      expectedState: trip.state,
      expectedNonce: trip.nonce,
      pkceCodeVerifier: trip.verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new Error('the provider gave no identity token')
    if (claims['email'] !== undefined || !configuration.serverMetadata().userinfo_endpoint)
      return claimsSchema.parse(claims)
    // Some tell the address only when asked for it.
    const more = await fetchUserInfo(configuration, tokens.access_token, claims.sub)
    return claimsSchema.parse({ ...claims, ...more })
  } catch (cause) {
    throw new AppError('sso.failed', {}, { cause })
  }
}
