import { devices } from '@weft/contract/devices/api'
import type { Feature } from '../../kit/feature.ts'
import { implement } from '../../kit/implement.ts'
import { idsOf, scopeColumns } from '../../kit/resource/definition.ts'
import { deviceHandlers } from './handlers.ts'
import { seedDevices } from './seed.ts'
import { sql } from 'drizzle-orm'
import { anyOf } from '../../kit/recordset.ts'
import { device } from './table.ts'

/** Device presets: the built-in ones, kept as this program has them, and those that people make. */
export const devicesFeature: Feature = {
  name: 'devices',
  mount: (app) => implement(app, devices, deviceHandlers),
  visible: {
    devices: (who, ids) =>
      idsOf(
        who.tx,
        sql`select ${device.id} as id from ${device}
          where ${device.id} = ${anyOf(ids)} and ${who.scope('VIEW', 'DEVICE', scopeColumns(device))}`,
      ),
  },
  async start({ db }) {
    await seedDevices(db)
    return async () => {}
  },
}
