import { z } from 'zod'
import { BOT_ACTIONS } from '@weft/contract/core/bot-actions'
import type { Guarded } from '../guarded/guarded.ts'

/** The bot check's settings, as they are kept; the secret that the verify server wants is beside them. */
export const BOT_CHECK = {
  key: 'bot.check',
  schema: z.object({
    verifyUrl: z.string().default('https://www.google.com/recaptcha/api/siteverify'),
    scriptUrl: z.string().default('https://www.google.com/recaptcha/api.js'),
    minScore: z.number().default(0.5),
    actions: z.array(z.enum(BOT_ACTIONS)).default([...BOT_ACTIONS]),
  }),
} satisfies Guarded<unknown>
