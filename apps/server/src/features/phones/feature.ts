import { phones } from '@weft/contract/phones/api'
import type { Feature } from '../../kit/feature.ts'
import { implementResource } from '../../kit/resource.ts'
import { seenBy } from '../../kit/resource/visible.ts'
import { phoneResource } from './resource.ts'

/** Phones, with nothing beyond the general calls of a resource. */
export const phonesFeature: Feature = {
  name: 'phones',
  mount: (app) => implementResource(app, phones, phoneResource, {}),
  visible: { phones: seenBy(phoneResource) },
}
