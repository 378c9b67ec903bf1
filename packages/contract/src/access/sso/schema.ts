import { z } from 'zod'
import { id, secretState, timestamp, version } from '../../core/record.ts'

/** An OpenID Connect provider by which people may sign in. */
export const ssoProviderSchema = z.object({
  id,
  version,
  /** Its name in addresses. */
  key: z.string(),
  /** Its name on the button. */
  name: z.string(),
  issuer: z.string(),
  /** What the provider calls the client's id and secret; here a client is a machine. */
  appKey: z.string(),
  appSecret: secretState,
  scopes: z.string(),
  /** Whether somebody unknown gets an account, and with which role. */
  signUp: z.boolean(),
  roleKey: z.string(),
  enabled: z.boolean(),
  /** The redirect address to register at the provider. */
  callbackUrl: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type SsoProvider = z.infer<typeof ssoProviderSchema>

/** What a visitor sees of a provider: a button and where it leads. */
export const ssoButtonSchema = z.object({ key: z.string(), name: z.string(), startUrl: z.string() })
export type SsoButton = z.infer<typeof ssoButtonSchema>
