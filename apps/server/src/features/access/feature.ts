import { access } from '@weft/contract/access/api'
import { avatars } from '@weft/contract/access/avatar/api'
import { botCheck } from '@weft/contract/access/bot-check/api'
import { mail } from '@weft/contract/access/mail/api'
import { passkeys } from '@weft/contract/access/passkeys/api'
import { recovery } from '@weft/contract/access/recovery/api'
import { sso } from '@weft/contract/access/sso/api'
import { tokens } from '@weft/contract/access/tokens/api'
import { twoSteps } from '@weft/contract/access/two-steps/api'
import type { Feature } from '../../kit/feature.ts'
import { implement } from '../../kit/implement.ts'
import { tokenHandlers } from './api-tokens/handlers.ts'
import { avatarHandlers } from './avatar/handlers.ts'
import { botCheckHandlers } from './bot-check/handlers.ts'
import { accessHandlers } from './handlers.ts'
import { mailHandlers } from './mail/handlers.ts'
import { sendMail, sendOne } from './mail/outbox.ts'
import { passkeyHandlers } from './passkeys/handlers.ts'
import { answerForgotten, sendResetLink } from './recovery/forgotten.ts'
import { recoveryHandlers } from './recovery/handlers.ts'
import { ssoHandlers } from './sso/handlers.ts'
import { mountSso } from './sso/mount.ts'
import { twoStepsHandlers } from './two-steps/handlers.ts'

/** Who people are: signing in and all around it, sessions, tokens, and the mail that this needs. */
export const accessFeature: Feature = {
  name: 'access',
  mount(app) {
    const { deps } = app
    implement(app, access, accessHandlers(deps))
    implement(app, avatars, avatarHandlers(deps))
    implement(app, botCheck, botCheckHandlers(deps))
    implement(app, mail, mailHandlers(deps))
    implement(app, recovery, recoveryHandlers(deps))
    implement(app, twoSteps, twoStepsHandlers(deps))
    implement(app, passkeys, passkeyHandlers(deps))
    implement(
      app,
      tokens,
      tokenHandlers(deps, () => app.endpoints),
    )
    implement(app, sso, ssoHandlers(deps))
    mountSso(app)
    deps.jobs.work(sendMail, (job) => sendOne(deps, job.payload.mailId), { concurrency: 2 })
    deps.jobs.work(sendResetLink, (job) => answerForgotten(deps, job.payload), { concurrency: 2 })
  },
}
