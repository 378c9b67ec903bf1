import { system } from '@weft/contract/system/api'
import { decisionsFor } from '../../kit/access.ts'
import { decisionsOf } from '../../kit/admit.ts'
import type { Feature } from '../../kit/feature.ts'
import { implement } from '../../kit/implement.ts'
import { ssoButtons } from '../access/sso/buttons.ts'
import { passwordsAllowed } from '../access/sso/way-in.ts'
import { needsSetUp } from '../access/first-administrator.ts'
import { menuFor } from '../routes/feature.ts'
import { beginWhenPlanned, maintenanceHandlers } from './maintenance.ts'
import { settingHandlers } from './setting-calls.ts'
import type { HeldSettings } from './settings.ts'

const LANGUAGES = [
  { code: 'en', name: 'English', rtl: false },
  { code: 'fr', name: 'Français', rtl: false },
  { code: 'ar', name: 'العربية', rtl: true },
]

/** The installation's configuration as each visitor may see it. */
export function systemFeature(settings: HeldSettings): Feature {
  return {
    name: 'system',
    mount(app) {
      const { version, settings: environment } = app.deps
      implement(app, system, {
        async config(ctx) {
          const held = await settings.all()
          const decisions = ctx.visitor ? decisionsOf(ctx.visitor) : decisionsFor([], null)
          const ssoProviders = await ssoButtons(ctx.tx)
          const passwords = await passwordsAllowed(ctx.tx, held.localSignIn)
          return {
            systemStatus: held.systemStatus,
            siteName: held.siteName,
            googleReCaptchaKey: held.googleReCaptchaKey,
            botCheckScript: (await app.deps.botCheck.script()) ?? '',
            defaultLanguage: held.defaultLanguage,
            maintenance: {
              note: held.maintenanceNote,
              until: held.maintenanceUntil,
              planned: held.maintenancePlan,
            },
            routes: await menuFor(ctx.tx, decisions, ctx.visitor !== null),
            authModes: [
              ...(passwords ? ['LOCAL' as const] : []),
              ...(ssoProviders.length > 0 ? ['SSO' as const] : []),
            ],
            ssoProviders,
            languages: LANGUAGES,
            needsSetUp: await needsSetUp(ctx.tx),
            practiceUrl: practiceUrl(environment),
            version,
          }
        },
        ...settingHandlers(app.deps),
        ...maintenanceHandlers(app.deps),
      })
    },
    start: (deps) =>
      Promise.resolve(deps.settings.roles.has('scheduler') ? beginWhenPlanned(deps) : async () => {}),
    visible: {
      // That the configuration changed is no secret.
      system: (_who, ids) => Promise.resolve(new Set(ids)),
    },
  }
}

function practiceUrl({
  practicePort,
  publicUrl,
}: {
  practicePort: number
  publicUrl: string
}): string | null {
  if (practicePort === 0) return null
  const url = new URL(publicUrl)
  return `http://${url.hostname}:${practicePort}`
}
