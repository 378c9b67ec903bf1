import type { Backplane } from '@weft/hub/backplane'
import { createPostgresBackplane } from '@weft/hub/backplane-postgres'
import type { Deps } from './deps.ts'

/**
 * What carries a hub's messages between the server processes of one installation, over a table of its own: only where a
 * database outside of this process may be shared; otherwise there is nobody to carry to.
 */
export function sharedBackplane(
  deps: Pick<Deps, 'settings' | 'pool' | 'notices' | 'log'>,
  table: 'hub_message' | 'hub_agent_message',
): Backplane | undefined {
  if (deps.settings.databaseUrl === undefined) return undefined
  return createPostgresBackplane({
    table,
    sql: { query: (text, params) => deps.pool.query(text, params) },
    listener: { listen: (channel, onNotice) => deps.notices.listen(channel, () => onNotice()) },
    logger: deps.log,
  })
}
