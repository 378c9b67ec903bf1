import { devices } from '@weft/contract/devices/api'
import type { Feature } from '../../kit/feature.ts'
import { implement } from '../../kit/implement.ts'
import { deviceHandlers } from './handlers.ts'
import { seedDevices } from './seed.ts'

/** Device presets: the built-in ones, kept as this program has them. */
export const devicesFeature: Feature = {
  name: 'devices',
  mount: (app) => implement(app, devices, deviceHandlers),
  async start({ db }) {
    await seedDevices(db)
    return async () => {}
  },
}
