import type { Proxy } from '@weft/contract/proxies/schema'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Ltr } from '../../kit/values/values.tsx'
import { Checked, Cost, Expiry, Info, Latency, Place, State, Success } from './cells.tsx'
import { proxyName } from './place.ts'

const col = columnsOf<Proxy>()

/** The columns of the proxy list: those of the specification first. */
export const proxyColumns = [
  col.cell('protocol', (row) => <Ltr>{row.protocol.toUpperCase()}</Ltr>, { width: 96 }),
  col.cell('host', (row) => <Info proxy={row} />, {
    label: 'proxyInfo',
    isName: true,
    grow: true,
    value: proxyName,
  }),
  col.option('type'),
  { ...col.cell('status', (row) => <State proxy={row} />, { width: 200 }), isStatus: true },
  col.cell('latencyMs', (row) => <Latency ms={row.latencyMs} />, { align: 'end' }),
  col.cell('successRatio24h', (row) => <Success ratio={row.successRatio24h} />, { align: 'end' }),
  col.ltr('exitIp'),
  col.cell('country', (row) => <Place {...row} />, { sort: false }),
  col.cell('checkedAt', (row) => <Checked proxy={row} />),
  col.cell('expiresAt', (row) => <Expiry at={row.expiresAt} />),
  col.option('proxySource', { hidden: true }),
  col.text('provider', { hidden: true }),
  col.cell('costPerMonth', (row) => <Cost {...row} />, { align: 'end', hidden: true }),
  col.number('capacity', { hidden: true }),
  col.number('failures', { hidden: true }),
  col.lease('lease', { hidden: true }),
  col.tags('tags', { hidden: true }),
  col.date('createdAt', { hidden: true }),
  col.date('updatedAt', { hidden: true }),
]
