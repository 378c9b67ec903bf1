import { access } from '@weft/contract/access/api'
import type { Feature } from '../../kit/feature.ts'
import { implement } from '../../kit/implement.ts'
import { accessHandlers } from './handlers.ts'

/** Who people are: signing in, sessions, tokens. */
export const accessFeature: Feature = {
  name: 'access',
  mount(app) {
    implement(app, access, accessHandlers(app.deps))
  },
}
