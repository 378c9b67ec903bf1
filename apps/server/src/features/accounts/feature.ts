import { accounts } from '@weft/contract/accounts/api'
import type { Feature } from '../../kit/feature.ts'
import { implementResource } from '../../kit/resource.ts'
import { seenBy } from '../../kit/resource/visible.ts'
import { accountResource } from './resource.ts'
import { revealHandler } from './reveal.ts'
import { timelineHandler } from './timeline/timeline.ts'

/** Accounts: the general calls of a resource, showing a secret, and what happened to each. */
export const accountsFeature: Feature = {
  name: 'accounts',
  mount: (app) =>
    implementResource(app, accounts, accountResource, {
      reveal: revealHandler(app.deps),
      timeline: timelineHandler,
    }),
  visible: { accounts: seenBy(accountResource) },
}
