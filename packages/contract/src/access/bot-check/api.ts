import { z } from 'zod'
import { BOT_ACTIONS } from '../../core/bot-actions.ts'
import { defineApi } from '../../core/endpoint.ts'
import { botCheckSchema } from './schema.ts'

const path = '/api-internal/api/v1/system/bot-check'
const manage = { action: 'MANAGE', subject: 'SYSTEM' } as const
const address = z.url({ protocol: /^https?$/ }).max(500)

/** The bot check's own settings. */
export const botCheck = defineApi('botCheck', {
  settings: {
    method: 'GET',
    path,
    access: manage,
    summary: 'How calls are checked for being made by programs',
    data: botCheckSchema,
    duringMaintenance: true,
  },
  save: {
    method: 'POST',
    path,
    access: manage,
    summary: 'Change how calls are checked; the check is on while googleReCaptchaKey is set',
    input: z.strictObject({
      verifyUrl: address.optional(),
      scriptUrl: address.optional(),
      /** Left out: as it is. Null: none. */
      secret: z.string().max(500).nullable().optional(),
      minScore: z.number().min(0).max(1).optional(),
      actions: z.array(z.enum(BOT_ACTIONS)).max(BOT_ACTIONS.length).optional(),
    }),
    data: botCheckSchema,
    audit: 'bot_check.save',
    idempotent: false,
    duringMaintenance: true,
  },
})
