import { z } from 'zod'
import { timestamp } from '../../core/record.ts'

/** How somebody can show at the sign-in that it is them, besides the password. */
export const TWO_STEPS_METHODS = ['totp', 'passkey', 'recovery'] as const
export type TwoStepsMethod = (typeof TWO_STEPS_METHODS)[number]

/**
 * What a right password is answered with where a second step is asked for. `enrol`: the person's role asks for one and
 * there is none yet; it is set up now, with this ticket.
 */
export const nextStepSchema = z.object({
  twoSteps: z.object({
    ticket: z.string(),
    methods: z.array(z.enum(TWO_STEPS_METHODS)),
    enrol: z.boolean(),
    expiresAt: timestamp,
  }),
})
export type NextStep = z.infer<typeof nextStepSchema>

/** A new authenticator's secret, to be typed, and the same as the address that its QR code holds. */
export const enrolmentSchema = z.object({ secret: z.string(), otpauthUrl: z.string() })
export type Enrolment = z.infer<typeof enrolmentSchema>

/** Codes that are good once each, shown this one time. */
export const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) })

/** One's own second step. */
export const twoStepsSchema = z.object({
  totp: z.boolean(),
  totpSince: timestamp.nullable(),
  passkeys: z.number().int(),
  recoveryCodesLeft: z.number().int(),
  /** A role of the person asks for a second step. */
  required: z.boolean(),
})
export type TwoSteps = z.infer<typeof twoStepsSchema>

const part = z.string().max(65_536)

/** What a browser gives for a passkey, made or used (WebAuthn's JSON form). */
const credential = {
  id: z.string().min(1).max(2_048),
  rawId: z.string().min(1).max(2_048),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).nullish(),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
}
export const passkeyMadeSchema = z.strictObject({
  ...credential,
  response: z.strictObject({
    clientDataJSON: part,
    attestationObject: part,
    authenticatorData: part.optional(),
    transports: z.array(z.string().max(40)).max(10).optional(),
    publicKey: part.nullish(),
    publicKeyAlgorithm: z.number().optional(),
  }),
})
export type PasskeyMade = z.infer<typeof passkeyMadeSchema>
export const passkeyUsedSchema = z.strictObject({
  ...credential,
  response: z.strictObject({
    clientDataJSON: part,
    authenticatorData: part,
    signature: part,
    userHandle: part.nullish(),
  }),
})
export type PasskeyUsed = z.infer<typeof passkeyUsedSchema>
