import { Button, Modal, Select } from '@mantine/core'
import { IconArrowBackUp, IconArrowsDiff, IconEye, IconEyeOff, IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { workflows } from '@weft/contract/workflows/api'
import type { Release } from '@weft/contract/workflows/schema'
import type { WorkflowDocument } from '@weft/workflow/document'
import { useChange } from '../../../../kit/actions/use-change.ts'
import { confirm } from '../../../../kit/confirm/confirm.ts'
import { Empty, Failure, LinesSkeleton, Load } from '../../../../kit/states/states.tsx'
import { StatusBadge } from '../../../../kit/status/status-badge.tsx'
import { toast } from '../../../../kit/toast/toast.ts'
import { Time } from '../../../../kit/values/values.tsx'
import { call } from '../../../../lib/api.ts'
import { useRead } from '../../../../lib/query.ts'
import { text } from '../../../../lib/i18n/texts.ts'
import { useLatest } from '../../../../lib/use-latest.ts'
import { sameDocument } from '../../model/merge/same.ts'
import { useT } from '../../text.ts'
import { useEditor } from '../context.ts'
import { documentFrom } from '../server-document.ts'
import { DiffView, DocumentText } from './diff-view.tsx'
import { Listing } from './listing.tsx'
import classes from './releases.module.css'
import { useRelease } from './use-release.ts'

const PER_PAGE = 50
type Look = { kind: 'view'; number: number } | { kind: 'compare'; number: number } | null

/** The releases, the newest first: their content, what changed, and back into the draft. */
export function ReleasesTab() {
  const t = useT()
  const { workflow } = useEditor()
  const [shown, setShown] = useState(PER_PAGE)
  const list = useRead(workflows.releases, { id: workflow.id, perPage: shown }, { keep: true })
  const [look, setLook] = useState<Look>(null)
  return (
    <Load of={list} skeleton={<LinesSkeleton lines={6} />}>
      {({ data, totalRecord }) =>
        data.length === 0 ? (
          <Empty title={t('releases.none')} text={t('releases.noneText')} />
        ) : (
          <>
            <Listing />
            <ul className={classes.list}>
              {data.map((release) => (
                <ReleaseCard key={release.id} release={release} look={setLook} />
              ))}
            </ul>
            {data.length < totalRecord && (
              <Button variant="subtle" fullWidth mt={12} onClick={() => setShown((now) => now + PER_PAGE)}>
                {t('releases.more')}
              </Button>
            )}
            <Modal
              closeButtonProps={{ 'aria-label': text('kit:common.close') }}
              opened={look !== null}
              onClose={() => setLook(null)}
              size={820}
              title={
                look?.kind === 'compare'
                  ? t('diff.title')
                  : t('release.number', { number: look?.number ?? 0 })
              }
            >
              {look?.kind === 'view' && <View number={look.number} />}
              {look?.kind === 'compare' && <Compare number={look.number} releases={data} />}
            </Modal>
          </>
        )
      }
    </Load>
  )
}

function ReleaseCard({ release, look }: { release: Release; look: (look: Look) => void }) {
  const t = useT()
  const restore = useRestore()
  const { readOnly, workflow } = useEditor()
  const { number } = release
  return (
    <li className={classes.release}>
      <div className={classes.about}>
        <span className={classes.head}>
          {t('release.number', { number })}
          {release.tests && <TestsThen of={release.tests} />}
          {release.withdrawnAt && (
            <StatusBadge value="withdrawn" tone="neutral" text={t('releases.withdrawn')} />
          )}
          {release.inUse && <StatusBadge value="used" tone="blue" text={t('releases.inUse')} />}
        </span>
        <span className={classes.meta}>
          <Time at={release.createdAt} exact />
          {release.createdByName && (
            <>
              {' · '}
              <bdi>{release.createdByName}</bdi>
            </>
          )}
        </span>
        {release.tests && release.tests.others.length > 0 && (
          <span className={classes.meta}>
            {t('releases.notPassed')}{' '}
            {release.tests.others.map(({ name, standing }, index) => (
              <span key={name}>
                {index > 0 && ' · '}
                <bdi>{name}</bdi> ({t(`tests.standings.${standing}`)})
              </span>
            ))}
          </span>
        )}
        {release.changelog && (
          <p className={classes.changelog}>
            <bdi>{release.changelog}</bdi>
          </p>
        )}
      </div>
      <div className={classes.tools}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconEye size={15} aria-hidden />}
          onClick={() => look({ kind: 'view', number })}
        >
          {t('releases.view')}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconArrowsDiff size={15} aria-hidden />}
          onClick={() => look({ kind: 'compare', number })}
        >
          {t('releases.compare')}
        </Button>
        {!readOnly && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconHistory size={15} aria-hidden />}
            onClick={() => restore(number)}
          >
            {t('releases.restore')}
          </Button>
        )}
        {workflow.cannot?.['publish'] !== 'access.denied' && <Withdraw release={release} />}
      </div>
    </li>
  )
}

/** No longer offers a release, or offers it again. */
function Withdraw({ release: { number, withdrawnAt } }: { release: Release }) {
  const t = useT()
  const { workflow } = useEditor()
  const change = useChange(workflows.withdraw, { invalidates: ['workflows'] })
  const withdrawn = withdrawnAt === null
  const press = async () => {
    const agreed =
      !withdrawn ||
      (await confirm({
        title: t('releases.withdraw'),
        name: t('release.number', { number }),
        text: t('releases.withdrawText'),
        confirmLabel: t('releases.withdraw'),
      }))
    if (agreed) change.mutate({ id: workflow.id, number, withdrawn })
  }
  const Icon = withdrawn ? IconEyeOff : IconArrowBackUp
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={change.isPending}
      leftSection={<Icon size={15} aria-hidden className={withdrawn ? undefined : 'flip-rtl'} />}
      onClick={() => void press()}
    >
      {t(withdrawn ? 'releases.withdraw' : 'releases.offer')}
    </Button>
  )
}

/** How the tests stood when a release was made. */
function TestsThen({ of: { passed, others } }: { of: NonNullable<Release['tests']> }) {
  const t = useT()
  const count = passed + others.length
  const tone = others.length === 0 ? 'green' : 'amber'
  return <StatusBadge value="tests" tone={tone} text={t('tests.sum', { passed, count })} />
}

/** Puts a release into the draft, as one change that can be undone. */
function useRestore(): (number: number) => void {
  const t = useT()
  const { workflow, document, edit } = useEditor()
  const draft = useLatest(document)
  return (number) => {
    const bring = async () => {
      const release = await call(workflows.release, { id: workflow.id, number })
      const decoded = documentFrom(release.document)
      if (!decoded.ok) return toast.error(t('unreadable.title'))
      if (sameDocument(decoded.value, draft.current)) {
        toast.info(t('releases.restoredSame', { number }))
        return
      }
      edit(decoded.value)
      toast.success(t('releases.restored', { number }))
    }
    bring().catch(toast.failure)
  }
}

function View({ number }: { number: number }) {
  const t = useT()
  const { workflow } = useEditor()
  const { read, document } = useRelease(workflow.id, number)
  if (read.error) return <Failure error={read.error} retry={() => void read.refetch()} />
  if (!document) return <LinesSkeleton lines={8} />
  return <DocumentText document={document} label={t('release.number', { number })} />
}

const DRAFT = 'draft'
/** So much of a changelog stands beside its release's number. */
const SAID_CHARS = 60

function Compare({ number, releases }: { number: number; releases: readonly Release[] }) {
  const t = useT()
  const { workflow, document: draft } = useEditor()
  const [before, setBefore] = useState(String(number))
  const [after, setAfter] = useState(DRAFT)
  const choices = useChoices(releases)
  const show = (from: number, to: string) => {
    setBefore(String(from))
    setAfter(to)
  }
  const one = useSide(workflow.id, before, draft)
  const other = useSide(workflow.id, after, draft)
  const failed = one.error ?? other.error
  return (
    <>
      <div className={classes.choose}>
        <Select
          label={t('diff.before')}
          data={choices}
          value={before}
          allowDeselect={false}
          searchable
          nothingFoundMessage={t('diff.none')}
          onChange={(value) => setBefore(value ?? DRAFT)}
        />
        <Select
          label={t('diff.after')}
          data={choices}
          value={after}
          allowDeselect={false}
          searchable
          nothingFoundMessage={t('diff.none')}
          onChange={(value) => setAfter(value ?? DRAFT)}
        />
      </div>
      <div className={classes.quick}>
        {number > 1 && (
          <Button
            size="compact-sm"
            variant="default"
            aria-pressed={before === String(number - 1) && after === String(number)}
            onClick={() => show(number - 1, String(number))}
          >
            {t('diff.ofRelease', { number })}
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="default"
          aria-pressed={before === String(number) && after === DRAFT}
          onClick={() => show(number, DRAFT)}
        >
          {t('diff.sinceRelease', { number })}
        </Button>
      </div>
      {failed ? (
        <Failure error={failed} />
      ) : one.document && other.document ? (
        <DiffView before={one.document} after={other.document} />
      ) : (
        <LinesSkeleton lines={8} />
      )}
    </>
  )
}

/** The draft and every release down to the first, also those that the list has not come to. */
function useChoices(releases: readonly Release[]) {
  const t = useT()
  const said = new Map(releases.map(({ number, changelog }) => [number, changelog.split('\n', 1)[0] ?? '']))
  const newest = Math.max(...said.keys())
  const numbers = Array.from({ length: newest }, (_none, index) => newest - index)
  return [
    { value: DRAFT, label: t('diff.draft') },
    ...numbers.map((number) => {
      const name = t('release.number', { number })
      const words = said.get(number)
      return { value: String(number), label: words ? `${name} · ${words.slice(0, SAID_CHARS)}` : name }
    }),
  ]
}

function useSide(id: string, which: string, draft: WorkflowDocument) {
  const number = which === DRAFT ? null : Number(which)
  const release = useRelease(id, number)
  return { document: number === null ? draft : release.document, error: release.read.error }
}
