import { z } from 'zod'
import { secretState } from '../../core/record.ts'
import { BOT_ACTIONS } from '../../core/bot-actions.ts'

/** What the browser's part of the bot check gave for one call. */
export const botToken = z.string().min(1).max(4096).optional()

/** How the server asks whether a person or a program calls. The site key is the setting `googleReCaptchaKey`. */
export const botCheckSchema = z.object({
  verifyUrl: z.string(),
  /** What browsers load, with the site key as `render`. */
  scriptUrl: z.string(),
  secret: secretState,
  /** From 0, certainly a program, to 1. */
  minScore: z.number(),
  /** Actions that are asked about; the others pass. */
  actions: z.array(z.enum(BOT_ACTIONS)),
})
export type BotCheckSettings = z.infer<typeof botCheckSchema>
