import { Button, SegmentedControl, Select } from '@mantine/core'
import { useDocumentVisibility } from '@mantine/hooks'
import { IconMessage2 } from '@tabler/icons-react'
import { workflowComments } from '@weft/contract/workflow-comments/api'
import { COMMENT_PLACES, type CommentThread } from '@weft/contract/workflow-comments/schema'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useChange } from '../../../kit/actions/use-change.ts'
import { Section } from '../../../kit/page/page.tsx'
import { Empty, Failure, LinesSkeleton } from '../../../kit/states/states.tsx'
import { call } from '../../../lib/api.ts'
import { isFailure } from '../../../lib/failure.ts'
import { useCatalogueText } from '../../../lib/i18n/catalogue.ts'
import { queryClient, readKey, useRead } from '../../../lib/query.ts'
import { signedIn } from '../../../lib/session/session.ts'
import { useEditor } from '../../workflows/editor/context.ts'
import { stepWords } from '../../workflows/editor/problem-text.ts'
import { useT } from '../text.ts'
import { Composer } from './composer.tsx'
import { moveDraft } from './drafts.ts'
import { Thread } from './thread.tsx'
import classes from './comments.module.css'

const STEP = 20
/** What was looked at for so long counts as read. */
const READ_MS = 1500

/** Everything that is said about the workflow and its steps. */
export default function CommentsTab() {
  const t = useT()
  const { workflow, goTo } = useEditor()
  const [search, setSearch] = useSearchParams()
  const mute = signedIn.get()?.viewing !== undefined
  const stepId = search.get('step')
  const linked = search.get('thread')
  useTakenAsRead(workflow.id, mute)
  const jump = (id: string) => {
    setSearch(() => new URLSearchParams(), { replace: true, preventScrollReset: true })
    goTo(id)
  }
  return (
    <div className={classes.tab}>
      {!mute && <NewComment key={stepId} stepId={stepId} write={search.has('write')} />}
      {linked && <Linked key={linked} id={linked} mute={mute} goTo={jump} />}
      <Section title={t('tab')} flush>
        <Threads stepId={stepId} without={linked} mute={mute} goTo={jump} />
      </Section>
    </div>
  )
}

/** Takes what is there as read, once it was before somebody's eyes for a moment; the marks of what is new stay until then. */
function useTakenAsRead(workflowId: string, mute: boolean): void {
  const unread = useRead(workflowComments.summary, { workflowId }).data?.unread ?? 0
  const seen = useDocumentVisibility() === 'visible'
  useEffect(() => {
    if (mute || unread === 0 || !seen) return undefined
    const timer = setTimeout(() => {
      call(workflowComments.seen, { workflowId })
        // The list keeps its marks: whoever reads still wants to see what is new.
        .then(() =>
          queryClient.invalidateQueries({ queryKey: readKey(workflowComments.summary, { workflowId }) }),
        )
        .catch((error: unknown) => console.warn('The comments could not be marked as read.', error))
    }, READ_MS)
    return () => clearTimeout(timer)
  }, [workflowId, unread, mute, seen])
}

const WHOLE = 'whole'
const aboutOf = (on: string) => ({ about: on === WHOLE ? null : on })

function NewComment({ stepId, write }: { stepId: string | null; write: boolean }) {
  const t = useT()
  const catalogue = useCatalogueText()
  const { workflow, document } = useEditor()
  const [on, setOn] = useState(stepId ?? WHOLE)
  const add = useChange(workflowComments.add)
  const send = async (text: string) => {
    try {
      await add.mutateAsync({ workflowId: workflow.id, activityId: on === WHOLE ? null : on, text })
      return true
    } catch {
      // It was said in a toast; what was written stays.
      return false
    }
  }
  const steps = document.activities.map(({ id }) => ({
    value: id,
    label: `${stepWords(document, id, catalogue)} (${id})`,
  }))
  return (
    <Section title={t('write')}>
      <div className={classes.newOn}>
        <Select
          label={t('places.label')}
          value={on}
          allowDeselect={false}
          searchable
          data={[{ value: WHOLE, label: t('places.whole') }, ...steps]}
          onChange={(value) => {
            const next = value ?? WHOLE
            moveDraft(workflow.id, aboutOf(on), aboutOf(next))
            setOn(next)
          }}
        />
      </div>
      <Composer
        key={on}
        workflowId={workflow.id}
        at={aboutOf(on)}
        label={t('text')}
        submit={t('send')}
        busy={add.isPending}
        autoFocus={write}
        send={send}
      />
    </Section>
  )
}

/** The thread that a notification leads to. */
function Linked({ id, mute, goTo }: { id: string; mute: boolean; goTo: (stepId: string) => void }) {
  const t = useT()
  const thread = useRead(workflowComments.get, { id })
  const place = useRef<HTMLDivElement>(null)
  const found = thread.data !== undefined
  useEffect(() => {
    if (found) place.current?.scrollIntoView({ block: 'nearest' })
  }, [found])
  if (thread.isPending) return null
  return (
    <div ref={place}>
      <Section title={t('linked')} flush>
        {thread.data ? (
          <ul className={classes.threads}>
            <Thread thread={thread.data} mute={mute} marked goTo={goTo} />
          </ul>
        ) : thread.error && !(isFailure(thread.error) && thread.error.body.code === 'record.not_found') ? (
          <Failure error={thread.error} retry={() => void thread.refetch()} />
        ) : (
          <p className={classes.deleted}>{t('linkedGone')}</p>
        )}
      </Section>
    </div>
  )
}

const STATES = ['open', 'resolved', 'all'] as const
type Shown = (typeof STATES)[number]

function Threads(props: {
  stepId: string | null
  without: string | null
  mute: boolean
  goTo: (stepId: string) => void
}) {
  const t = useT()
  const { workflow } = useEditor()
  const [shown, setShown] = useState<Shown>('open')
  const [place, setPlace] = useState<string>(props.stepId ? 'this' : 'all')
  const [most, setMost] = useState(STEP)
  // Another step was asked for.
  const [stepId, setStepId] = useState(props.stepId)
  if (stepId !== props.stepId) {
    setStepId(props.stepId)
    setPlace(props.stepId ? 'this' : 'all')
  }
  const kind = COMMENT_PLACES.find((one) => one === place)
  const list = useRead(
    workflowComments.list,
    {
      workflowId: workflow.id,
      perPage: most,
      ...(shown === 'all' ? {} : { state: shown }),
      ...(kind ? { place: kind } : {}),
      ...(place === 'this' && stepId ? { activityId: stepId } : {}),
    },
    { keep: true },
  )
  const { data, error } = list
  const threads = data?.data.filter(({ id }) => id !== props.without) ?? []
  return (
    <>
      <div className={classes.filters}>
        <SegmentedControl
          size="xs"
          aria-label={t('states.label')}
          value={shown}
          data={STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
          onChange={(value) => {
            setShown(STATES.find((one) => one === value) ?? 'open')
            setMost(STEP)
          }}
        />
        <Select
          size="xs"
          aria-label={t('places.label')}
          value={place}
          allowDeselect={false}
          data={[
            { value: 'all', label: t('places.all') },
            ...(stepId ? [{ value: 'this', label: t('places.this') }] : []),
            { value: 'workflow', label: t('places.whole') },
            { value: 'step', label: t('places.steps') },
            { value: 'removed', label: t('places.removed') },
          ]}
          onChange={(value) => {
            setPlace(value ?? 'all')
            setMost(STEP)
          }}
        />
      </div>
      {!data &&
        (error ? <Failure error={error} retry={() => void list.refetch()} /> : <LinesSkeleton lines={4} />)}
      {data && threads.length === 0 && (
        <Empty
          icon={<IconMessage2 size={24} stroke={1.6} />}
          title={t('empty.title')}
          text={t('empty.text')}
        />
      )}
      <Rows threads={threads} mute={props.mute} goTo={props.goTo} />
      {data && data.totalRecord > data.data.length && (
        <Button variant="default" m={12} loading={list.isFetching} onClick={() => setMost(most + STEP)}>
          {t('more')}
        </Button>
      )}
    </>
  )
}

function Rows(props: { threads: readonly CommentThread[]; mute: boolean; goTo: (stepId: string) => void }) {
  if (props.threads.length === 0) return null
  return (
    <ul className={classes.threads}>
      {props.threads.map((thread) => (
        <Thread key={thread.id} thread={thread} mute={props.mute} goTo={props.goTo} />
      ))}
    </ul>
  )
}
