import { and, asc, desc, eq, inArray, isNull, or } from 'drizzle-orm'
import type { users } from '@weft/contract/users/api'
import { QUOTA_KINDS } from '@weft/contract/users/quota'
import type { Implementation } from '../../kit/implement.ts'
import { limitsOf, usedBy } from '../../kit/quota.ts'
import { findRecord } from '../../kit/record.ts'
import { scopeColumns } from '../../kit/resource/definition.ts'
import { historyOf } from '../../kit/resource/history.ts'
import { readLine, rulesInLine, rulesOf } from '../access/line.ts'
import { USERS } from '../access/people.ts'
import { role } from '../access/table.ts'
import { twoStepsOf } from '../access/two-steps/factors.ts'
import { isBeyond } from '../access/within.ts'
import { needingOwner, ownedBy } from './belongings.ts'
import { personRecord } from './record.ts'

/** Looking at one person more closely. */
export function lookHandlers(): Pick<
  Implementation<typeof users>,
  'roles' | 'owns' | 'abilities' | 'twoSteps' | 'history'
> {
  return {
    async roles(ctx) {
      const rows = await ctx.tx
        .select({ key: role.key, name: role.name, builtIn: role.builtIn, rules: role.rules })
        .from(role)
        .where(
          and(
            isNull(role.deletedAt),
            or(
              eq(role.builtIn, true),
              inArray(role.key, [...ctx.user.roles]),
              ctx.scope('VIEW', 'ROLE', scopeColumns(role)),
            ),
          ),
        )
        .orderBy(desc(role.builtIn), asc(role.name))
      const data = rows.map((row) => ({
        key: row.key,
        name: row.name,
        builtIn: row.builtIn,
        givable: !isBeyond(rulesOf([row]), ctx.user.rules),
      }))
      return { data, totalPage: 1, totalRecord: data.length }
    },

    async owns(ctx, { id }) {
      await findRecord(ctx, USERS, id)
      const owns = await ownedBy(ctx.tx, id)
      const quota = []
      for (const kind of QUOTA_KINDS) {
        const [narrowest] = await limitsOf(ctx.tx, id, kind)
        quota.push({ kind, used: await usedBy(ctx.tx, id, kind), limit: narrowest?.limit ?? null })
      }
      return { owns, needsSuccessor: needingOwner(owns) > 0, quota }
    },

    async abilities(ctx, { id }) {
      await findRecord(ctx, USERS, id)
      const line = await readLine(ctx.tx, id)
      const rules = rulesInLine(line)
      return { rules, cut: isBeyond(rulesOf(line[0]?.roles ?? []), rules) }
    },

    async twoSteps(ctx, { id }) {
      await findRecord(ctx, USERS, id, 'MANAGE')
      return twoStepsOf(ctx.tx, id)
    },

    history: (ctx, input) => historyOf(ctx, personRecord, input),
  }
}
