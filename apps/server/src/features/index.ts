import { engineFeature } from '../engine/features.ts'
import type { Feature } from '../kit/feature.ts'
import { accessFeature } from './access/feature.ts'
import { systemFeature } from './system/feature.ts'
import type { HeldSettings } from './system/settings.ts'

/** Every feature of the product, in the order in which they are mounted. */
export function allFeatures({ settings }: { settings: HeldSettings }): Feature[] {
  return [accessFeature, systemFeature(settings), engineFeature()]
}
