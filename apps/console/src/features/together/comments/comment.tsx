import { Button } from '@mantine/core'
import { workflowComments } from '@weft/contract/workflow-comments/api'
import { commentSchema, type Comment } from '@weft/contract/workflow-comments/schema'
import { useState } from 'react'
import { useChange } from '../../../kit/actions/use-change.ts'
import { confirm } from '../../../kit/confirm/confirm.ts'
import { Time } from '../../../kit/values/values.tsx'
import { isFailure } from '../../../lib/failure.ts'
import { useKitText } from '../../../lib/i18n/texts.ts'
import { invalidateFeatures } from '../../../lib/query.ts'
import { Face } from '../presence/face.tsx'
import { useT } from '../text.ts'
import { Composer } from './composer.tsx'
import { changeBegunOn } from './drafts.ts'
import { piecesOf } from './mention-text.ts'
import classes from './comments.module.css'

/** So much of a comment names it in a question. */
const BRIEF = 80

/** A change of a comment that is being written. */
interface Editing {
  /** The version that it is a change of: what came since is not written over unasked. */
  version: number
  /** Somebody asked for it just now, rather than it being there from before. */
  asked: boolean
  /** It was said that the comment is another by now. */
  told: boolean
}

/** What somebody said, and what may be done with it. */
export function CommentView({ comment, workflowId }: { comment: Comment; workflowId: string }) {
  const t = useT()
  const k = useKitText()
  const [editing, setEditing] = useState<Editing | null>(() => {
    const begunOn = changeBegunOn(workflowId, comment.id)
    return begunOn === null ? null : { version: begunOn, asked: false, told: false }
  })
  const edit = useChange(workflowComments.edit)
  const remove = useChange(workflowComments.remove)
  const { id, version, author, deleted, text, can } = comment
  const name = author?.displayName ?? t('gone')
  const askRemove = async () => {
    const brief = text.length > BRIEF ? `${text.slice(0, BRIEF)}…` : text
    if (await confirm({ danger: true, name: brief, confirmLabel: k('actions.delete') }))
      remove.mutate({ id, version })
  }
  const save = async (next: string) => {
    if (!editing || next === text) return true
    try {
      const saved = await edit.mutateAsync({ id, version: editing.version, text: next })
      // It may have been shut meanwhile.
      setEditing((now) => now && { ...now, version: saved.version, told: false })
      return true
    } catch (error) {
      // It was said in a toast; what was written stays. Now that it was said, it may be saved over what stands there.
      const current = isFailure(error) ? commentSchema.safeParse(error.body.current).data : undefined
      if (current) {
        setEditing((now) => now && { ...now, version: current.version, told: true })
        await invalidateFeatures(['workflowComments'])
      }
      return false
    }
  }
  if (deleted) return <p className={classes.deleted}>{t('deleted')}</p>
  return (
    <article className={classes.comment} aria-label={t('by', { name })}>
      <Face userId={author?.id ?? ''} name={name} />
      <div className={classes.body}>
        <div className={classes.meta}>
          <bdi className={classes.author}>{name}</bdi>
          <span className={classes.at}>
            <Time at={comment.createdAt} />
            {comment.editedAt && ` · ${t('edited')}`}
          </span>
          {comment.unread && <span className={classes.new}>{t('new')}</span>}
        </div>
        {(!editing || editing.told || (editing.version !== version && !edit.isPending)) && (
          <p className={classes.text} dir="auto">
            {piecesOf(text, comment.mentions).map((piece, index) =>
              'person' in piece ? (
                // oxlint-disable-next-line react/no-array-index-key -- a text is always cut the same
                <bdi key={index} className={classes.mention} title={piece.person.displayName}>
                  {piece.text}
                </bdi>
              ) : (
                piece.text
              ),
            )}
          </p>
        )}
        {editing && (
          <Composer
            workflowId={workflowId}
            at={{ change: id, version: editing.version }}
            label={t('editOwn')}
            initial={text}
            submit={k('common.save')}
            busy={edit.isPending}
            autoFocus={editing.asked}
            send={save}
            done={() => setEditing(null)}
            close={() => setEditing(null)}
          />
        )}
        {can.length > 0 && !editing && (
          <div className={classes.acts}>
            {can.includes('edit') && (
              <Button
                size="compact-xs"
                variant="subtle"
                color="gray"
                onClick={() =>
                  setEditing({ version: changeBegunOn(workflowId, id) ?? version, asked: true, told: false })
                }
              >
                {k('actions.edit')}
              </Button>
            )}
            {can.includes('delete') && (
              <Button
                size="compact-xs"
                variant="subtle"
                color="gray"
                loading={remove.isPending}
                onClick={() => void askRemove()}
              >
                {k('actions.delete')}
              </Button>
            )}
          </div>
        )}
      </div>
    </article>
  )
}
