import { z } from 'zod'
import { defineApi } from '../../core/endpoint.ts'
import { id, timestamp } from '../../core/record.ts'
import { botToken } from '../bot-check/schema.ts'
import { email, newPasswordTwice, sameTwice } from '../schema.ts'

const prefix = '/api-user/api/v1'

/** Coming back in after a password was forgotten. */
export const recovery = defineApi('recovery', {
  forgot: {
    method: 'POST',
    path: `${prefix}/auth/forgot-password`,
    access: 'public',
    summary: 'Ask for a one-time link by mail; the answer is the same whether or not the address is known',
    input: z.strictObject({ email, botToken }),
    botAction: 'changePassword',
    idempotent: false,
    duringMaintenance: true,
  },
  check: {
    method: 'POST',
    path: `${prefix}/auth/reset-password/check`,
    access: 'public',
    summary: 'Whether a one-time link is still good, and until when',
    input: z.strictObject({ token: z.string().min(1).max(200) }),
    data: z.object({ expiresAt: timestamp }),
    idempotent: false,
    duringMaintenance: true,
  },
  reset: {
    method: 'POST',
    path: `${prefix}/auth/reset-password`,
    access: 'public',
    summary: 'Set a new password with the one-time link; every session of the person ends',
    input: sameTwice(
      z.strictObject({
        token: z.string().min(1).max(200),
        ...newPasswordTwice,
        botToken,
      }),
    ),
    audit: 'password.reset',
    botAction: 'changePassword',
    idempotent: false,
    duringMaintenance: true,
  },
  handOut: {
    method: 'POST',
    path: `${prefix}/user/reset-link/{id}`,
    access: { action: 'MANAGE', subject: 'USER' },
    summary: 'Make a one-time link for a person’s new password, to be handed over by other means than mail',
    input: z.strictObject({ id }),
    data: z.object({ url: z.string(), expiresAt: timestamp }),
    audit: 'password.link_handed_out',
    idempotent: false,
  },
})
