import { Anchor, Button } from '@mantine/core'
import { IconCheck, IconPlayerSkipForward, IconRefresh, IconUserQuestion } from '@tabler/icons-react'
import { Link } from 'react-router'
import { campaigns } from '@weft/contract/campaigns/api'
import type { Campaign, Item } from '@weft/contract/campaigns/schema'
import { Failure, LinesSkeleton } from '../../../kit/states/states.tsx'
import { Time } from '../../../kit/values/values.tsx'
import { actionLabel } from '../../../lib/i18n/names.ts'
import { useRead } from '../../../lib/query.ts'
import { runPath } from '../../runs/paths.ts'
import { errorClassText } from '../../runs/text.ts'
import { useT } from '../text.ts'
import { deciding, DECISIONS } from './decision.ts'
import { itemName } from './item-name.ts'
import classes from './monitor.module.css'

const SHOWN = 5
const ICONS = { done: IconCheck, retry: IconRefresh, skip: IconPlayerSkipForward } as const

/** Items of which nobody knows whether their irreversible step happened: a person looks and decides, one by one. */
export function NeedsPerson({ campaign }: { campaign: Campaign }) {
  const t = useT()
  const count = campaign.tally.uncertain
  const items = useRead(
    campaigns.items,
    { id: campaign.id, state: ['uncertain'], perPage: SHOWN, sortBy: 'seq' },
    { enabled: count > 0, keep: true },
  )
  if (count === 0) return null
  const rows: readonly Item[] = items.data?.data ?? []
  return (
    <section className={classes.needs} aria-labelledby="needs-person">
      <h2 id="needs-person" className={classes.needsTitle}>
        <IconUserQuestion size={18} aria-hidden />
        {t('needs.title', { count })}
      </h2>
      <p className={classes.needsText}>{t('needs.text')}</p>
      {items.error && !items.data ? (
        <Failure error={items.error} retry={() => void items.refetch()} />
      ) : items.data ? (
        <ul className={classes.needsList}>
          {rows.map((item) => (
            <Asked key={item.id} item={item} />
          ))}
        </ul>
      ) : (
        <LinesSkeleton lines={2} />
      )}
      {count > rows.length && rows.length > 0 && (
        <Anchor component={Link} to="?state=uncertain" fz="sm">
          {t('needs.all', { count })}
        </Anchor>
      )}
    </section>
  )
}

function Asked({ item }: { item: Item }) {
  const t = useT()
  const step = item.error?.stepName ?? item.error?.stepId
  return (
    <li className={classes.asked}>
      <div className={classes.askedText}>
        <div>
          <strong>
            <bdi>{itemName(item)}</bdi>
          </strong>
          {step && (
            <>
              {' · '}
              {t('needs.step', { step })}
            </>
          )}
        </div>
        {item.error && (
          <div className={classes.dim}>
            {errorClassText(item.error.class)}: <bdi>{item.error.message}</bdi>
          </div>
        )}
        <div className={classes.dim}>
          {item.client && (
            <>
              <bdi>{item.client.name}</bdi>
              {' · '}
            </>
          )}
          <Time at={item.startedAt} />
          {item.runId && (
            <>
              {' · '}
              <Anchor component={Link} to={runPath(item.runId)} fz="sm">
                {t('needs.look')}
              </Anchor>
            </>
          )}
        </div>
      </div>
      <div className={classes.askedButtons}>
        {DECISIONS.filter((decision) => item.can.includes(decision)).map((decision) => {
          const Icon = ICONS[decision]
          return (
            <Button
              key={decision}
              size="compact-sm"
              variant={decision === 'done' ? 'filled' : 'default'}
              leftSection={<Icon size={15} aria-hidden />}
              onClick={() => deciding.set({ item, decision })}
            >
              {actionLabel('campaigns', decision)}
            </Button>
          )
        })}
      </div>
    </li>
  )
}
