import { Button, UnstyledButton } from '@mantine/core'
import { IconCheck, IconCornerDownRight, IconRotate2 } from '@tabler/icons-react'
import { workflowComments } from '@weft/contract/workflow-comments/api'
import type { CommentThread } from '@weft/contract/workflow-comments/schema'
import { useState } from 'react'
import { useChange } from '../../../kit/actions/use-change.ts'
import { StatusBadge } from '../../../kit/status/status-badge.tsx'
import { useCatalogueText } from '../../../lib/i18n/catalogue.ts'
import { isolate } from '../../../lib/i18n/isolate.ts'
import { useRead } from '../../../lib/query.ts'
import { titleOf } from '../../workflows/editor/catalogue-text.ts'
import { useEditor } from '../../workflows/editor/context.ts'
import { stepWords } from '../../workflows/editor/problem-text.ts'
import { useT } from '../text.ts'
import { CommentView } from './comment.tsx'
import { Composer } from './composer.tsx'
import { draftAt } from './drafts.ts'
import classes from './comments.module.css'

const ANSWERS_STEP = 50
/** A list gives no more at once. */
const MOST_ANSWERS = 1000

/** A comment with its answers: what it is about, what was said, and the way to answer. */
export function Thread(props: {
  thread: CommentThread
  /** Nothing can be said: somebody looks on. */
  mute: boolean
  /** Somebody was led to it. */
  marked?: boolean
  goTo: (stepId: string) => void
}) {
  const t = useT()
  const { thread, mute } = props
  const { id, workflowId, resolvedAt, resolvedBy } = thread
  // What was begun here before stands open again, and takes no focus.
  const [answering, setAnswering] = useState<'begun' | 'asked' | null>(() =>
    draftAt(workflowId, { answerTo: id }) === null ? null : 'begun',
  )
  const reply = useChange(workflowComments.reply)
  const resolve = useChange(workflowComments.resolve)
  const send = async (text: string) => {
    try {
      await reply.mutateAsync({ id, text })
    } catch {
      // It was said in a toast; what was written stays.
      return false
    }
    return true
  }
  return (
    <li className={classes.thread} data-marked={props.marked || undefined}>
      <div className={classes.head}>
        <Place thread={thread} goTo={props.goTo} />
        {resolvedAt && (
          <StatusBadge
            value="resolved"
            tone="green"
            text={resolvedBy ? t('resolvedBy', { name: isolate(resolvedBy.displayName) }) : t('resolved')}
          />
        )}
        {!mute && (
          <Button
            className={classes.resolve}
            size="compact-sm"
            variant="default"
            leftSection={
              resolvedAt ? (
                <IconRotate2 size={15} className="flip-rtl" aria-hidden />
              ) : (
                <IconCheck size={15} aria-hidden />
              )
            }
            loading={resolve.isPending}
            onClick={() => resolve.mutate({ id, resolved: resolvedAt === null })}
          >
            {resolvedAt ? t('reopen') : t('resolve')}
          </Button>
        )}
      </div>
      <CommentView comment={thread} workflowId={workflowId} />
      <Answers thread={thread} />
      {!mute &&
        (answering ? (
          <Composer
            workflowId={workflowId}
            at={{ answerTo: id }}
            label={t('answer')}
            submit={t('answer')}
            busy={reply.isPending}
            autoFocus={answering === 'asked'}
            send={send}
            done={() => setAnswering(null)}
            close={() => setAnswering(null)}
          />
        ) : (
          <Button
            className={classes.answer}
            size="compact-sm"
            variant="subtle"
            leftSection={<IconCornerDownRight size={15} className="flip-rtl" aria-hidden />}
            onClick={() => setAnswering('asked')}
          >
            {t('answer')}
          </Button>
        ))}
    </li>
  )
}

function Place({ thread, goTo }: { thread: CommentThread; goTo: (stepId: string) => void }) {
  const t = useT()
  const catalogue = useCatalogueText()
  const { document } = useEditor()
  const { activityId, activity } = thread
  if (activityId === null) return <span className={classes.place}>{t('places.whole')}</span>
  if (document.activities.some(({ id }) => id === activityId))
    return (
      <UnstyledButton className={classes.place} data-link onClick={() => goTo(activityId)}>
        {t('places.at', { step: isolate(stepWords(document, activityId, catalogue)) })}
        <span className="unseen"> {t('goTo')}</span>
      </UnstyledButton>
    )
  const words = activity ? activity.name || titleOf(activity.type, catalogue) : activityId
  return <span className={classes.place}>{t('places.gone', { step: isolate(words) })}</span>
}

/** The newest answers come with the thread; earlier ones when they are asked for. */
function Answers({ thread }: { thread: CommentThread }) {
  const t = useT()
  const [most, setMost] = useState(0)
  const { id, replies, replyCount, workflowId } = thread
  const all = useRead(
    workflowComments.replies,
    { id, perPage: Math.max(1, most), sortBy: 'createdAt', sortDesc: true },
    { enabled: most > 0, keep: true },
  )
  const shown = most > 0 && all.data ? all.data.data.toReversed() : replies
  const earlier = replyCount - shown.length
  if (replyCount === 0) return null
  return (
    <div className={classes.answers}>
      {earlier > 0 && most < MOST_ANSWERS && (
        <Button
          size="compact-xs"
          variant="subtle"
          loading={most > 0 && all.isFetching}
          onClick={() => setMost(most + ANSWERS_STEP)}
        >
          {t('earlier', { count: earlier })}
        </Button>
      )}
      {shown.map((reply) => (
        <CommentView key={reply.id} comment={reply} workflowId={workflowId} />
      ))}
    </div>
  )
}
