import { z } from 'zod'
import { accounts } from '@weft/contract/accounts/api'
import type { Feature } from '../../kit/feature.ts'
import { defineJob } from '../../kit/jobs.ts'
import { implementResource } from '../../kit/resource.ts'
import { seenBy } from '../../kit/resource/visible.ts'
import { wakeRested } from './moves.ts'
import { accountResource } from './resource.ts'
import { revealHandler } from './reveal.ts'
import { sessionOf } from './session.ts'
import { timelineHandler } from './timeline/timeline.ts'

const restAccounts = defineJob('accounts.rest', z.object({}))

/** Accounts: the general calls of a resource, showing a secret, how its session stands, and what happened to each. */
export const accountsFeature: Feature = {
  name: 'accounts',
  mount(app) {
    const { deps } = app
    implementResource(app, accounts, accountResource, {
      reveal: revealHandler(deps),
      timeline: timelineHandler,
      session: sessionOf,
    })
    deps.jobs.work(restAccounts, () => wakeRested(deps))
    deps.jobs.schedule(restAccounts, '* * * * *', {})
  },
  visible: { accounts: seenBy(accountResource) },
}
