import { profiles } from '@weft/contract/profiles/api'
import type { Feature } from '../../kit/feature.ts'
import { implementResource } from '../../kit/resource.ts'
import { seenBy } from '../../kit/resource/visible.ts'
import { profileResource } from './resource.ts'
import { snapshotHandlers } from './snapshots/handlers.ts'

/** Profiles: the general calls of a resource, and what is kept of their sessions. */
export const profilesFeature: Feature = {
  name: 'profiles',
  mount: (app) => implementResource(app, profiles, profileResource, snapshotHandlers),
  visible: { profiles: seenBy(profileResource) },
}
