import { system } from '@weft/contract/system/api'
import { decisionsFor } from '../../kit/access.ts'
import { decisionsOf } from '../../kit/admit.ts'
import type { Feature } from '../../kit/feature.ts'
import { implement } from '../../kit/implement.ts'
import { needsSetUp } from '../access/first-administrator.ts'
import { routesFor } from './routes.ts'
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
          const { systemStatus, siteName, googleReCaptchaKey } = await settings.all()
          const decisions = ctx.visitor ? decisionsOf(ctx.visitor) : decisionsFor([], null)
          return {
            systemStatus,
            siteName,
            googleReCaptchaKey,
            routes: routesFor(decisions, ctx.visitor !== null),
            authModes: ['LOCAL' as const],
            languages: LANGUAGES,
            needsSetUp: await needsSetUp(ctx.tx),
            practiceUrl: practiceUrl(environment),
            version,
          }
        },
      })
    },
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
