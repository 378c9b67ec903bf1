import { Anchor, Drawer } from '@mantine/core'
import { Link, useSearchParams } from 'react-router'
import { campaigns } from '@weft/contract/campaigns/api'
import type { ReactNode } from 'react'
import type { Item } from '@weft/contract/campaigns/schema'
import { runs } from '@weft/contract/runs/api'
import type { Run } from '@weft/contract/runs/schema'
import { RecordActions } from '../../../kit/actions/record-actions.tsx'
import { Facts } from '../../../kit/page/page.tsx'
import { Load } from '../../../kit/states/states.tsx'
import { StatusBadge } from '../../../kit/status/status-badge.tsx'
import { KeyValue } from '../../../kit/values/key-value.tsx'
import { Dash, Num, Time } from '../../../kit/values/values.tsx'
import { fieldLabel, optionLabel } from '../../../lib/i18n/names.ts'
import { useKitText } from '../../../lib/i18n/texts.ts'
import { useRead } from '../../../lib/query.ts'
import { RunBadge } from '../../runs/badge.tsx'
import { runPath } from '../../runs/paths.ts'
import { errorClassText } from '../../runs/text.ts'
import { BOUND, PLURAL } from '../editor/pairing.ts'
import { ResourceLink } from '../resource-link.tsx'
import { useT } from '../text.ts'
import { itemActions } from './item-actions.ts'
import { itemName } from './item-name.ts'
import classes from './monitor.module.css'
import { WaitList } from './wait-reasons.tsx'

const MOST_RUNS = 50

/** One item, whole: what it binds, why it waits or failed, what it gave, its runs. Open while the address names it. */
export function ItemDrawer() {
  const t = useT()
  const kit = useKitText()
  const [search, setSearch] = useSearchParams()
  const id = search.get('item')
  const close = () =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now)
        next.delete('item')
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  return (
    <Drawer
      opened={id !== null}
      onClose={close}
      position="right"
      size={520}
      title={t('item.title')}
      closeButtonProps={{ 'aria-label': kit('common.close') }}
    >
      {id && <ItemView key={id} id={id} />}
    </Drawer>
  )
}

function ItemView({ id }: { id: string }) {
  const record = useRead(campaigns.item, { id })
  return <Load of={record}>{(item) => <ItemDetails item={item} />}</Load>
}

function ItemDetails({ item }: { item: Item }) {
  const t = useT()
  const label = (name: string) => fieldLabel('campaigns', name)
  const outputs = item.outputs && Object.keys(item.outputs).length > 0 ? item.outputs : null
  return (
    <div className={classes.stack}>
      <div className={classes.itemHead}>
        <strong>
          <bdi>{itemName(item)}</bdi>
        </strong>
        <StatusBadge value={item.state} feature="campaigns" field="state" />
        <span className={classes.itemButtons}>
          <RecordActions
            feature="campaigns"
            of={item}
            name={itemName(item)}
            actions={itemActions.filter(({ id }) => id !== 'details')}
            primary={[]}
          />
        </span>
      </div>
      {item.waitReasons.length > 0 && (
        <div>
          <h3 className={classes.heading}>{t('item.waits')}</h3>
          <WaitList reasons={item.waitReasons} />
        </div>
      )}
      {item.error && (
        <div className={classes.cause} data-tone={item.state === 'uncertain' ? 'violet' : 'red'}>
          <strong>{errorClassText(item.error.class)}</strong>
          <div>
            <bdi>{item.error.message}</bdi>
          </div>
        </div>
      )}
      <Facts
        rows={[
          ...boundFacts(item),
          [label('client'), item.client ? <bdi key="client">{item.client.name}</bdi> : <Dash key="client" />],
          [label('attempt'), <Num key="attempt" value={item.attempt} />],
          [label('readyAt'), <Time key="ready" at={item.readyAt} exact />],
          [label('startedAt'), <Time key="started" at={item.startedAt} exact />],
          [label('settledAt'), <Time key="settled" at={item.settledAt} exact />],
        ]}
      />
      {outputs && (
        <div>
          <h3 className={classes.heading}>{label('outputs')}</h3>
          <KeyValue value={outputs} />
        </div>
      )}
      <ItemRuns id={item.id} />
    </div>
  )
}

/** The resources that the item is bound to, each with the way to it. */
function boundFacts(item: Item): (readonly [string, ReactNode])[] {
  const facts: (readonly [string, ReactNode])[] = []
  for (const kind of BOUND) {
    const resource = item[kind]
    if (!resource) continue
    const link = (
      <ResourceLink kind={PLURAL[kind]} id={resource.id}>
        <bdi>{resource.name}</bdi>
      </ResourceLink>
    )
    facts.push([optionLabel('campaigns', 'per', kind), link])
  }
  return facts
}

function ItemRuns({ id }: { id: string }) {
  const t = useT()
  const list = useRead(runs.list, { itemId: id, perPage: MOST_RUNS, sortBy: 'queuedAt', sortDesc: true })
  return (
    <div>
      <h3 className={classes.heading}>{t('item.runs')}</h3>
      <Load of={list} skeleton={<span>…</span>}>
        {({ data }) =>
          data.length === 0 ? (
            <p className={classes.dim}>{t('item.noRuns')}</p>
          ) : (
            <ul className={classes.runs}>
              {data.map((run: Run) => (
                <li key={run.id}>
                  <Anchor component={Link} to={runPath(run.id)}>
                    {t('item.attempt', { attempt: run.attempt })}
                  </Anchor>
                  <RunBadge run={run} />
                  <bdi>{run.clientName}</bdi>
                  <Time at={run.queuedAt} />
                </li>
              ))}
            </ul>
          )
        }
      </Load>
    </div>
  )
}
