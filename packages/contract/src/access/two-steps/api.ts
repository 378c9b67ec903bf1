import { z } from 'zod'
import { defineApi } from '../../core/endpoint.ts'
import { id } from '../../core/record.ts'
import { signedInSchema } from '../schema.ts'
import {
  enrolmentSchema,
  passkeyUsedSchema,
  recoveryCodesSchema,
  TWO_STEPS_METHODS,
  twoStepsSchema,
} from './schema.ts'

const prefix = '/api-user/api/v1'
const ticket = z.string().min(1).max(200)
const totpCode = z.string().trim().min(6).max(12)

/** The second step: at the sign-in, and setting it up. */
export const twoSteps = defineApi('twoSteps', {
  next: {
    method: 'POST',
    path: `${prefix}/auth/two-steps`,
    access: 'public',
    summary: 'Finish a sign-in with its second step',
    input: z
      .strictObject({
        ticket,
        method: z.enum(TWO_STEPS_METHODS),
        /** The authenticator's six digits, or a recovery code. */
        code: z.string().trim().min(1).max(60).optional(),
        passkey: passkeyUsedSchema.optional(),
      })
      .refine((given) => (given.method === 'passkey' ? given.passkey : given.code) !== undefined, {
        path: ['code'],
        error: 'required',
      }),
    data: signedInSchema,
    audit: 'auth.two_steps',
    idempotent: false,
    duringMaintenance: true,
  },
  passkeyOptions: {
    method: 'POST',
    path: `${prefix}/auth/two-steps/passkey-options`,
    access: 'public',
    summary: 'What the browser needs to ask for one of the person’s passkeys',
    input: z.strictObject({ ticket }),
    data: z.object({ options: z.record(z.string(), z.unknown()) }),
    idempotent: false,
    duringMaintenance: true,
  },
  nextEnrol: {
    method: 'POST',
    path: `${prefix}/auth/two-steps/enrol`,
    access: 'public',
    summary: 'Begin to set up the second step that a role asks for, in the midst of a sign-in',
    input: z.strictObject({ ticket }),
    data: enrolmentSchema,
    idempotent: false,
    duringMaintenance: true,
  },
  nextConfirm: {
    method: 'POST',
    path: `${prefix}/auth/two-steps/confirm`,
    access: 'public',
    summary: 'Show that the authenticator works, and finish the sign-in',
    input: z.strictObject({ ticket, code: totpCode }),
    data: signedInSchema.extend(recoveryCodesSchema.shape),
    audit: 'two_steps.on',
    idempotent: false,
    duringMaintenance: true,
  },
  state: {
    method: 'GET',
    path: `${prefix}/two-steps/get`,
    access: 'signedIn',
    summary: 'My second step',
    data: twoStepsSchema,
  },
  enrol: {
    method: 'POST',
    path: `${prefix}/two-steps/enrol`,
    access: 'signedIn',
    summary: 'Begin to set up an authenticator app',
    data: enrolmentSchema,
    audit: 'two_steps.enrol',
    idempotent: false,
  },
  confirm: {
    method: 'POST',
    path: `${prefix}/two-steps/confirm`,
    access: 'signedIn',
    summary: 'Show that the authenticator works; from now on it is asked for',
    input: z.strictObject({ code: totpCode }),
    data: recoveryCodesSchema,
    audit: 'two_steps.on',
    idempotent: false,
  },
  renewCodes: {
    method: 'POST',
    path: `${prefix}/two-steps/recovery-codes`,
    access: 'signedIn',
    summary: 'Make new recovery codes; the ones before are void',
    data: recoveryCodesSchema,
    audit: 'two_steps.codes',
    idempotent: false,
  },
  turnOff: {
    method: 'POST',
    path: `${prefix}/two-steps/turn-off`,
    access: 'signedIn',
    summary: 'Ask for the authenticator app no more',
    audit: 'two_steps.off',
    idempotent: false,
  },
  reset: {
    method: 'POST',
    path: `${prefix}/user/reset-two-steps/{id}`,
    access: { action: 'MANAGE', subject: 'USER' },
    summary: 'Take away somebody’s second step: authenticator, recovery codes, passkeys; they are told',
    input: z.strictObject({ id }),
    audit: 'two_steps.reset',
    idempotent: false,
  },
})
