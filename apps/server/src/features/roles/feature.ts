import { functions, roles } from '@weft/contract/roles/api'
import { SUBJECTS } from '@weft/contract/core/permissions'
import type { Feature } from '../../kit/feature.ts'
import { implement } from '../../kit/implement.ts'
import { seenBy } from '../../kit/resource/visible.ts'
import { functionHandlers } from './functions.ts'
import { roleHandlers } from './handlers.ts'
import { roleRecord } from './record.ts'

/** What people may do: roles, and the functions they are about. */
export const rolesFeature: Feature = {
  name: 'roles',
  mount(app) {
    // All calls are mounted by the time somebody asks.
    implement(app, roles, roleHandlers(app.deps, app.endpoints))
    implement(app, functions, functionHandlers(app.deps, app.endpoints))
  },
  visible: {
    roles: async (who, ids) => {
      const seen = await seenBy(roleRecord)(who, ids)
      // A function goes by its name; whoever sees the catalogue is told of it.
      const named = who.can('VIEW', 'FUNCTION') || who.can('VIEW', 'ROLE')
      return new Set([...seen, ...ids.filter((id) => named && SUBJECTS.some((one) => one === id))])
    },
  },
}
