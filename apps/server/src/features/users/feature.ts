import { users } from '@weft/contract/users/api'
import type { Feature } from '../../kit/feature.ts'
import { implement } from '../../kit/implement.ts'
import { seenBy } from '../../kit/resource/visible.ts'
import { ownHandlers } from './own.ts'
import { peopleHandlers } from './people.ts'
import { personRecord } from './record.ts'

/** People: who there is, what they may do, and what each keeps about themselves. */
export const usersFeature: Feature = {
  name: 'users',
  mount(app) {
    implement(app, users, { ...peopleHandlers(app.deps), ...ownHandlers(app.deps) })
  },
  visible: { users: seenBy(personRecord) },
}
