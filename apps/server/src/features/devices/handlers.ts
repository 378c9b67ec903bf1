import { devices } from '@weft/contract/devices/api'
import type { Implementation } from '../../kit/implement.ts'
import { listOf } from '../../kit/list.ts'
import { scopeColumns } from '../../kit/resource/definition.ts'
import { oneOf } from '../../kit/resource/view.ts'
import { device } from './table.ts'

/** Listing device presets. */
export const deviceHandlers: Implementation<typeof devices> = {
  list: (ctx, input) =>
    listOf(ctx.tx, input, {
      rows: (tx) => tx.select().from(device).$dynamic(),
      table: device,
      id: device.id,
      where: [ctx.scope('VIEW', 'DEVICE', scopeColumns(device)), oneOf(device.kind, input.kind)],
      search: [device.name],
      sort: { name: device.name, kind: device.kind },
      defaultSort: { by: 'name' },
      present: (rows) => rows.map(({ width, height, ...row }) => ({ ...row, viewport: { width, height } })),
    }),
}
