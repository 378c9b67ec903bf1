import type { Device } from '@weft/contract/devices/schema'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Ltr } from '../../kit/values/values.tsx'
import { optionLabel } from '../../lib/i18n/names.ts'

const col = columnsOf<Device>()

/** The columns of the list of devices. */
export const deviceColumns = [
  col.name('name'),
  col.option('kind'),
  col.cell('viewport', ({ viewport: { width, height } }) => <Ltr>{`${width} × ${height}`}</Ltr>, {
    sort: false,
  }),
  col.number('scale', { sort: false }),
  col.bool('touch', { sort: false }),
  col.bool('mobile', { sort: false }),
  col.cell('builtIn', (row) => optionLabel('devices', 'builtIn', String(row.builtIn)), { sort: false }),
  col.ltr('locale', { hidden: true }),
  col.ltr('timeZone', { hidden: true }),
  col.option('colorScheme', { hidden: true }),
  col.ltr('userAgent', { hidden: true }),
  col.date('updatedAt', { hidden: true }),
]
