import { botCheck } from '@weft/contract/access/bot-check/api'
import type { BotCheckSettings } from '@weft/contract/access/bot-check/schema'
import type { Tx } from '../../../kit/context.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Implementation } from '../../../kit/implement.ts'
import { readGuarded, writeGuarded } from '../guarded/guarded.ts'
import { BOT_CHECK } from './settings.ts'

/** The bot check's settings. */
export function botCheckHandlers({ secrets }: Pick<Deps, 'secrets'>): Implementation<typeof botCheck> {
  const read = async (db: Tx): Promise<BotCheckSettings> => {
    const { value, secret } = await readGuarded(db, secrets, BOT_CHECK)
    return { ...value, secret: { set: secret !== null } }
  }
  return {
    settings: (ctx) => read(ctx.tx),

    async save(ctx, { secret, ...changes }) {
      const { secret: hadSecret, ...before } = await read(ctx.tx)
      const value = BOT_CHECK.schema.parse({ ...before, ...changes })
      await writeGuarded(ctx.tx, secrets, BOT_CHECK, { value, secret, by: ctx.user.id })
      const after = await read(ctx.tx)
      ctx.audit({ feature: 'system', recordId: null, before: { ...before, secret: hadSecret }, after })
      return after
    },
  }
}
