import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { accounts } from '@weft/contract/accounts/api'
import type { TimelineEntry } from '@weft/contract/accounts/timeline'
import { deed } from '../../kit/list/history/deed.ts'
import { useListText } from '../../kit/list/text.ts'
import { Empty, Load } from '../../kit/states/states.tsx'
import { StatusBadge } from '../../kit/status/status-badge.tsx'
import { fieldChanges, isRecord } from '../../kit/values/diff.ts'
import { Elapsed, Time } from '../../kit/values/values.tsx'
import { call } from '../../lib/api.ts'
import { useFormats } from '../../lib/formats.ts'
import { fieldLabel } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { RunBadge } from '../runs/badge.tsx'
import { runPath } from '../runs/paths.ts'
import { errorClassText } from '../runs/text.ts'
import { useT } from './text.ts'
import classes from './timeline.module.css'
import { ACCOUNT_TONES } from './tones.ts'

type Of<K extends TimelineEntry['kind']> = Extract<TimelineEntry, { kind: K }>

/** What happened to an account, the latest first. */
export default function AccountTimeline({ id }: { id: string }) {
  const t = useT()
  const kit = useKitText()
  const read = useInfiniteQuery({
    queryKey: [accounts.timeline.name, { id }],
    queryFn: ({ pageParam, signal }) =>
      call(accounts.timeline, { id, ...(pageParam === null ? {} : { before: pageParam }) }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  return (
    <Load of={read} part>
      {({ pages }) => {
        const entries = pages.flatMap((page) => page.entries)
        if (entries.length === 0) return <Empty title={t('timeline.none')} />
        return (
          <>
            <ol className={classes.entries} aria-label={t('timeline.title')}>
              {entries.map((entry) => (
                <li key={entry.id} className={classes.entry}>
                  <Entry entry={entry} />
                </li>
              ))}
            </ol>
            {read.hasNextPage && (
              <Button
                variant="default"
                size="xs"
                loading={read.isFetchingNextPage}
                onClick={() => void read.fetchNextPage()}
              >
                {kit('common.more')}
              </Button>
            )}
          </>
        )
      }}
    </Load>
  )
}

function Entry({ entry }: { entry: TimelineEntry }) {
  if (entry.kind === 'run') return <RunEntry entry={entry} />
  return entry.kind === 'change' ? <ChangeEntry entry={entry} /> : <StatusEntry entry={entry} />
}

function Head({ at, children }: { at: string; children: ReactNode }) {
  const formats = useFormats()
  return (
    <div className={classes.head}>
      {children}
      <span className={classes.when} title={formats.exact(at)}>
        <Time at={at} />
      </span>
    </div>
  )
}

function RunEntry({ entry }: { entry: Of<'run'> }) {
  const t = useT()
  const title = entry.campaignTitle
    ? t('timeline.runOf', { campaign: entry.campaignTitle })
    : t(entry.workflowName === null ? 'timeline.attended' : 'timeline.run')
  return (
    <>
      <Head at={entry.at}>
        <RunBadge run={{ ...entry, cancelRequestedAt: null }} />
        {entry.seen ? (
          <Link to={runPath(entry.id)}>
            <bdi>{title}</bdi>
          </Link>
        ) : (
          <span>{t('timeline.unseen')}</span>
        )}
        {entry.clientName !== null && <bdi>{t('timeline.on', { client: entry.clientName })}</bdi>}
      </Head>
      {entry.startedAt !== null && (
        <p className={classes.more}>
          {t('timeline.took')} <Elapsed from={entry.startedAt} to={entry.finishedAt} />
        </p>
      )}
      {entry.error && (
        <p className={classes.more}>
          {errorClassText(entry.error.class)}: <bdi>{entry.error.message}</bdi>
        </p>
      )}
      {entry.limit && (
        <p className={classes.more}>
          {t(entry.limit === 'day' ? 'timeline.limitDay' : 'timeline.limitHour')}
        </p>
      )}
    </>
  )
}

function ChangeEntry({ entry }: { entry: Of<'change'> }) {
  const t = useT()
  const list = useListText()
  // What came with its making is long, and what a release tells is the run, which stands beside it.
  const told = isRecord(entry.before) && entry.label !== 'lease.release'
  const fields = told
    ? fieldChanges(entry.before, entry.after).map(({ path }) => fieldLabel('accounts', path))
    : []
  return (
    <>
      <Head at={entry.at}>
        <b>
          <bdi>{entry.actorName || list('history.program')}</bdi>
        </b>
        <span>{deed(entry.label)}</span>
      </Head>
      {fields.length > 0 && (
        <p className={classes.more}>{t('timeline.fieldsChanged', { names: fields.join(', ') })}</p>
      )}
    </>
  )
}

const REASONS = ['challenge', 'rejected', 'limit', 'failures', 'rested'] as const
const isKnown = (reason: string | null): reason is (typeof REASONS)[number] =>
  REASONS.some((known) => known === reason)

function StatusEntry({ entry }: { entry: Of<'status'> }) {
  const t = useT()
  const { reason } = entry
  return (
    <>
      <Head at={entry.at}>
        <span>{t('timeline.byRuns')}</span>
        <StatusBadge value={entry.after} feature="accounts" field="status" tones={ACCOUNT_TONES} />
      </Head>
      {isKnown(reason) && <p className={classes.more}>{t(`timeline.${reason}`)}</p>}
      {entry.error !== null && (
        <p className={classes.more}>
          <bdi>{entry.error}</bdi>
        </p>
      )}
    </>
  )
}
