import { proxies } from '@weft/contract/proxies/api'
import type { Feature } from '../../kit/feature.ts'
import { implementResource } from '../../kit/resource.ts'
import { seenBy } from '../../kit/resource/visible.ts'
import { proxyResource } from './resource.ts'

/** Proxies, with nothing beyond the general calls of a resource. */
export const proxiesFeature: Feature = {
  name: 'proxies',
  mount: (app) => implementResource(app, proxies, proxyResource, {}),
  visible: { proxies: seenBy(proxyResource) },
}
