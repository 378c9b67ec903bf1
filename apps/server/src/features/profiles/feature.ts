import { profiles } from '@weft/contract/profiles/api'
import type { Feature } from '../../kit/feature.ts'
import { implementResource } from '../../kit/resource.ts'
import { seenBy } from '../../kit/resource/visible.ts'
import { profileResource } from './resource.ts'

/** Profiles, with nothing beyond the general calls of a resource. */
export const profilesFeature: Feature = {
  name: 'profiles',
  mount: (app) => implementResource(app, profiles, profileResource, {}),
  visible: { profiles: seenBy(profileResource) },
}
