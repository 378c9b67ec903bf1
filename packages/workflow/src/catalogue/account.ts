import { defineActivity, sideEffectField } from './activity.ts'
import { advanced, optional, options, select, targets, template, withDefault } from './field.ts'

/**
 * Signs in with the account that the run holds. The password and the one-time code never pass through expressions:
 * the agent types them into the fields that are named here.
 */
export const signIn = defineActivity({
  type: 'sign-in',
  category: 'account',
  icon: 'IconLogin2',
  fields: {
    url: template(),
    username: withDefault(select(['username', 'email', 'phone'], options), 'username'),
    usernameTargets: targets({ shared: 'usernameTargets', help: false }),
    continueTargets: optional(targets({ ...options, shared: 'continueTargets' })),
    passwordTargets: targets({ shared: 'passwordTargets', help: false }),
    submitTargets: targets({ shared: 'submitTargets', help: false }),
    codeTargets: optional(targets({ ...options, shared: 'codeTargets' })),
    codeSubmitTargets: optional(targets({ ...options, shared: 'codeSubmitTargets', help: false })),
    signedInTargets: targets({ shared: 'signedInTargets' }),
    refusedTargets: optional(targets({ ...options, shared: 'refusedTargets' })),
    personNeededTargets: optional(targets({ ...advanced, shared: 'personNeededTargets' })),
    sideEffect: sideEffectField,
  },
  outputs: { alreadySignedIn: 'boolean', username: 'text' },
  timeLimitSeconds: 90,
  sideEffect: 'write',
  browser: true,
})

/** Keeps the browser profile as it is now, so that a later run begins signed in. */
export const saveSession = defineActivity({
  type: 'save-session',
  category: 'account',
  icon: 'IconDeviceFloppy',
  fields: {},
  outputs: { saved: 'boolean' },
  timeLimitSeconds: 60,
  retry: { attempts: 2, delaySeconds: 2 },
  sideEffect: 'write',
  browser: true,
})
