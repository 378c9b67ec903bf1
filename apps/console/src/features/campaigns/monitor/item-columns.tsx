import type { Item, Pairing } from '@weft/contract/campaigns/schema'
import { columnsOf, type Column } from '../../../kit/list/columns.tsx'
import { Dash, Elapsed, Ltr, Time } from '../../../kit/values/values.tsx'
import { errorClassText } from '../../runs/text.ts'
import { BOUND, PLURAL, type BoundKind } from '../editor/pairing.ts'
import { ResourceLink } from '../resource-link.tsx'
import classes from './monitor.module.css'
import { WaitLine } from './wait-reasons.tsx'

const col = columnsOf<Item>()
/** Names that stay left-to-right in any text. */
const MACHINE_NAMES: readonly BoundKind[] = ['account', 'proxy', 'phone']

function bound(kind: BoundKind, hidden: boolean): Column<Item> {
  return col.cell(
    kind,
    (item) => {
      const resource = item[kind]
      if (!resource) return <Dash />
      return (
        <ResourceLink kind={PLURAL[kind]} id={resource.id} quiet>
          {MACHINE_NAMES.includes(kind) ? <Ltr>{resource.name}</Ltr> : <bdi>{resource.name}</bdi>}
        </ResourceLink>
      )
    },
    { sort: false, hidden, value: (item) => item[kind]?.name },
  )
}

/** Why it stands where it stands: the step it is at, what it waits for, what went wrong, or what it gave. */
function Situation({ item }: { item: Item }) {
  if (item.state === 'running' && item.step) return <bdi className={classes.step}>{item.step}</bdi>
  if (item.waitReasons.length > 0) return <WaitLine reasons={item.waitReasons} />
  if (item.error && item.state !== 'done')
    return (
      <span className={classes.itemError} data-state={item.state} title={item.error.message}>
        {errorClassText(item.error.class)}
        {item.error.stepName && (
          <>
            {' · '}
            <bdi>{item.error.stepName}</bdi>
          </>
        )}
      </span>
    )
  return <Outputs item={item} />
}

/** The columns of a campaign's items; what the items are made for comes first. */
export function itemColumns(per: Pairing['per']): Column<Item>[] {
  return [
    col.cell('seq', (item) => <span className="numbers">#{item.seq}</span>, {
      isName: true,
      width: 90,
      value: (item) => item.seq,
    }),
    col.status('state'),
    bound(per, false),
    col.cell('situation', (item) => <Situation item={item} />, { grow: true, sort: false }),
    col.cell(
      'client',
      (item) =>
        item.client ? (
          <ResourceLink kind="clients" id={item.client.id} quiet>
            <bdi>{item.client.name}</bdi>
          </ResourceLink>
        ) : (
          <Dash />
        ),
      { sort: false },
    ),
    col.number('attempt'),
    col.cell('elapsed', (item) => <ItemTime item={item} />, { sort: false, align: 'end' }),
    col.cell('settledAt', (item) => <Time at={item.settledAt} />, { phone: false }),
    ...BOUND.filter((kind) => kind !== per).map((kind) => bound(kind, true)),
    col.date('startedAt', { hidden: true, sort: false }),
    col.date('readyAt', { hidden: true, sort: false }),
  ]
}

function ItemTime({ item }: { item: Item }) {
  const active = item.state === 'running' || item.state === 'leased'
  if (!item.startedAt || (!active && !item.settledAt)) return <Dash />
  return <Elapsed from={item.startedAt} to={active ? null : item.settledAt} />
}

function Outputs({ item }: { item: Item }) {
  const entries = Object.entries(item.outputs ?? {})
  if (entries.length === 0) return <Dash />
  const words = entries
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
  return (
    <span className={classes.outputs} title={words}>
      <Ltr>{words}</Ltr>
    </span>
  )
}
