import { engineFeature } from '../engine/features.ts'
import type { Feature } from '../kit/feature.ts'
import { accessRequestsFeature } from './access-requests/feature.ts'
import { accessFeature } from './access/feature.ts'
import { accountsFeature } from './accounts/feature.ts'
import { activitiesFeature } from './activities/feature.ts'
import { auditFeature } from './audit/feature.ts'
import { bulksFeature } from './bulks/feature.ts'
import { countsFeature } from './counts/feature.ts'
import { devicesFeature } from './devices/feature.ts'
import { filesFeature } from './files/feature.ts'
import { importsFeature } from './imports/feature.ts'
import { notificationsFeature } from './notifications/feature.ts'
import { phonesFeature } from './phones/feature.ts'
import { preferencesFeature } from './preferences/feature.ts'
import { profilesFeature } from './profiles/feature.ts'
import { projectsFeature } from './projects/feature.ts'
import { proxiesFeature } from './proxies/feature.ts'
import { routesFeature } from './routes/feature.ts'
import { rolesFeature } from './roles/feature.ts'
import { systemFeature } from './system/feature.ts'
import type { HeldSettings } from './system/settings.ts'
import { trashFeature } from './trash/feature.ts'
import { usersFeature } from './users/feature.ts'
import { videosFeature } from './videos/feature.ts'
import { viewsFeature } from './views/feature.ts'
import { viewingFeature } from './viewing/feature.ts'
import { workflowsFeature } from './workflows/feature.ts'

/** Every feature of the product, in the order in which they are mounted. */
export function allFeatures({ settings }: { settings: HeldSettings }): Feature[] {
  return [
    accessFeature,
    usersFeature,
    rolesFeature,
    notificationsFeature,
    preferencesFeature,
    viewsFeature,
    accessRequestsFeature,
    viewingFeature,
    systemFeature(settings),
    auditFeature,
    routesFeature,
    accountsFeature,
    profilesFeature,
    phonesFeature,
    proxiesFeature,
    videosFeature,
    devicesFeature,
    filesFeature,
    importsFeature,
    bulksFeature,
    countsFeature,
    projectsFeature,
    workflowsFeature,
    activitiesFeature,
    trashFeature,
    engineFeature(),
  ]
}
