import { Anchor, CloseButton, SegmentedControl } from '@mantine/core'
import { IconCircleCheck, IconCirclePlus, IconLink, IconUnlink } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { attachCalls, type AttachResult, type Candidate } from '@weft/contract/campaigns/api'
import type { Attachable, Campaign } from '@weft/contract/campaigns/schema'
import type { Selection } from '@weft/contract/core/record'
import type { Action, ActionContext } from '../../../kit/actions/action.ts'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { Filters, SearchFilter } from '../../../kit/list/filters.tsx'
import type { ListHandle } from '../../../kit/list/handle.ts'
import { useResourceTable } from '../../../kit/list/use-resource-table.tsx'
import { errorText } from '../../../lib/i18n/names.ts'
import { resourcePath } from '../resource-link.tsx'
import { useT } from '../text.ts'
import classes from './editor.module.css'

const col = columnsOf<Candidate>()

/** What an attaching or detaching came to, as the notice above the list says it. */
interface Outcome {
  verb: 'add' | 'remove'
  result: AttachResult
}

/** One of the six sets: what the campaign has or could have, to attach and detach. */
export function Candidates(props: { campaign: Campaign; kind: Attachable; disabled: boolean }) {
  const { campaign, kind, disabled } = props
  const t = useT()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const calls = attachCalls[kind]
  const listPath = resourcePath(kind)
  const actions = useMemo(
    () => (disabled ? [] : attachActions(kind, campaign.id, setOutcome)),
    [disabled, kind, campaign.id],
  )
  const list = useResourceTable(calls.fetch, {
    columns: [
      col.name('name'),
      col.text('detail', { sort: false }),
      col.status('status'),
      col.cell('attached', (row) => <AttachedMark on={row.attached} />, { width: 130, sort: false }),
    ],
    actions,
    fixed: { campaignId: campaign.id },
    key: kind,
    openTo: () => null,
    nameOf: ({ name }) => name,
    plain: true,
    selectable: !disabled,
    perPage: 10,
    live: [kind],
    empty: {
      title: t('resources.empty'),
      text: t('resources.emptyText'),
      action: listPath && (
        <Anchor component={Link} to={listPath}>
          {t(`resources.go.${kind}`)}
        </Anchor>
      ),
    },
  })
  return (
    <div className={classes.stack}>
      <Filters of={list}>
        <SearchFilter />
        <AttachedFilter list={list} />
      </Filters>
      {outcome && <OutcomeNotice outcome={outcome} close={() => setOutcome(null)} />}
      {list.table}
    </div>
  )
}

function attachActions(
  kind: Attachable,
  campaignId: string,
  tell: (outcome: Outcome) => void,
): Action<Candidate>[] {
  const calls = attachCalls[kind]
  const change = async (verb: 'add' | 'remove', selection: Selection, { call }: ActionContext) => {
    const result = await call(calls[verb], { campaignId, selection })
    tell({ verb, result })
    return { done: result.changed, refused: result.refused }
  }
  const action = (id: 'attach' | 'detach', verb: 'add' | 'remove', icon: Action<Candidate>['icon']) => ({
    id,
    icon,
    can: false as const,
    shown: (row: Candidate) => row.attached === (verb === 'remove'),
    run: (row: Candidate, context: ActionContext) => change(verb, { ids: [row.id] }, context),
    done: null,
    bulk: (selection: Selection, context: ActionContext) => change(verb, selection, context),
  })
  return [action('attach', 'add', IconLink), action('detach', 'remove', IconUnlink)]
}

function AttachedMark({ on }: { on: boolean }) {
  const t = useT()
  const Icon = on ? IconCircleCheck : IconCirclePlus
  return (
    <span className={classes.mark} data-on={on || undefined}>
      <Icon size={15} aria-hidden />
      {t(on ? 'resources.attached' : 'resources.notAttached')}
    </span>
  )
}

const SHOWN = ['all', 'true', 'false'] as const

function AttachedFilter<T>({ list }: { list: ListHandle<T> }) {
  const t = useT()
  const value = SHOWN.find((one) => one === list.state.filters['attached']) ?? 'all'
  return (
    <SegmentedControl
      data={SHOWN.map((one) => ({ value: one, label: t(`resources.shown.${one}`) }))}
      value={value}
      onChange={(next) => {
        const { attached: _old, ...others } = list.state.filters
        list.setState({ filters: next === 'all' ? others : { ...others, attached: next } })
      }}
      aria-label={t('resources.shown.label')}
    />
  )
}

/** How many were taken, were so already, or were refused, and why. */
function OutcomeNotice({ outcome, close }: { outcome: Outcome; close: () => void }) {
  const t = useT()
  const { verb, result } = outcome
  const reasons = new Map<string, number>()
  for (const { code } of result.refused) reasons.set(code, (reasons.get(code) ?? 0) + 1)
  return (
    <div className={classes.notice} data-tone={result.refused.length > 0 ? 'amber' : 'green'}>
      <output data-testid="attach-outcome">
        <div>
          {t(`resources.outcome.${verb}`, { count: result.changed })}
          {result.already > 0 && ` · ${t(`resources.outcome.${verb}Already`, { count: result.already })}`}
          {result.refused.length > 0 &&
            ` · ${t('resources.outcome.refused', { count: result.refused.length })}`}
        </div>
        {[...reasons].map(([code, count]) => (
          <div key={code}>{t('resources.outcome.reason', { count, reason: errorText(code) })}</div>
        ))}
      </output>
      <CloseButton size="sm" onClick={close} aria-label={t('resources.outcome.close')} />
    </div>
  )
}
