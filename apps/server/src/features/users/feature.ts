import { users } from '@weft/contract/users/api'
import type { Feature } from '../../kit/feature.ts'
import { implement } from '../../kit/implement.ts'
import { seenBy } from '../../kit/resource/visible.ts'
import { leavingHandlers } from './leaving.ts'
import { lookHandlers } from './look.ts'
import { ownHandlers } from './own.ts'
import { peopleHandlers } from './people.ts'
import { personRecord } from './record.ts'

/** People: who there is, what they may do, and what each keeps about themselves. */
export const usersFeature: Feature = {
  name: 'users',
  mount(app) {
    const { deps } = app
    implement(app, users, {
      ...peopleHandlers(deps),
      ...leavingHandlers(deps),
      ...lookHandlers(),
      ...ownHandlers(deps),
    })
  },
  visible: {
    // Whatever they may see of others, people are told of what happens to themselves.
    users: async (who, ids) =>
      new Set([...(await seenBy(personRecord)(who, ids)), ...ids.filter((id) => id === who.user.id)]),
  },
}
