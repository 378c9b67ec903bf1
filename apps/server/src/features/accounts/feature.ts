import { accounts } from '@weft/contract/accounts/api'
import type { Feature } from '../../kit/feature.ts'
import { implementResource } from '../../kit/resource.ts'
import { seenBy } from '../../kit/resource/visible.ts'
import { accountResource } from './resource.ts'
import { revealHandler } from './reveal.ts'

/** Accounts: the general calls of a resource, and showing a secret. */
export const accountsFeature: Feature = {
  name: 'accounts',
  mount: (app) => implementResource(app, accounts, accountResource, { reveal: revealHandler(app.deps) }),
  visible: { accounts: seenBy(accountResource) },
}
