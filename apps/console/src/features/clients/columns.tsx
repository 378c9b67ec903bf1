import type { Client } from '@weft/contract/clients/schema'
import { columnsOf } from '../../kit/list/columns.tsx'
import { AdminBadge, ConnectionBadge, WorkBadge } from './badges.tsx'

const col = columnsOf<Client>()

/** The columns of the client list: those of the specification first. */
export const clientColumns = [
  col.code('clientKey'),
  col.name('name'),
  col.text('os', { width: 120 }),
  col.ltr('localIp'),
  col.ltr('publicIp'),
  col.number('userIns'),
  col.number('thread'),
  col.number('remaining'),
  col.number('cpu'),
  col.number('mem'),
  col.cell('connection', (row) => <ConnectionBadge client={row} />),
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
