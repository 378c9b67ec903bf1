import type { Client } from '@weft/contract/clients/schema'
import { columnsOf } from '../../kit/list/columns.tsx'
import { AdminBadge, WorkBadge } from './badges.tsx'
import { CONNECTION_TONES } from './tones.ts'

const col = columnsOf<Client>()

/** The columns of the client list: those of the specification first. */
export const clientColumns = [
  col.code('clientKey'),
  col.name('name'),
  col.text('os', { width: 120 }),
  col.ltr('localIp', { phone: false }),
  col.ltr('publicIp', { phone: false }),
  col.number('userIns', { phone: false }),
  col.number('thread'),
  col.number('remaining'),
  col.number('cpu', { phone: false }),
  col.number('mem', { phone: false }),
  col.status('connection', CONNECTION_TONES),
  col.cell('work', (row) => <WorkBadge client={row} />),
  col.cell('admin', (row) => <AdminBadge client={row} />),
  col.date('lastSeenAt', { hidden: true }),
  col.tags('labels', { hidden: true }),
  col.text('arch', { hidden: true }),
  col.ltr('agentVersion', { hidden: true }),
  col.number('diskFreeMb', { hidden: true }),
  col.tags('tags', { hidden: true }),
  col.date('createdAt', { hidden: true }),
]
