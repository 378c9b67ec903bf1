// A list that the field's own keys walk through; a select would take the focus away.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { workflowComments } from '@weft/contract/workflow-comments/api'
import { COMMENT_LIMITS, type Commenter } from '@weft/contract/workflow-comments/schema'
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { GrowingText } from '../../../kit/fields/growing-text.tsx'
import { useKitText } from '../../../lib/i18n/texts.ts'
import { useRead } from '../../../lib/query.ts'
import { useLatest, useSteady } from '../../../lib/use-latest.ts'
import { Face } from '../presence/face.tsx'
import { useT } from '../text.ts'
import { draftAt, keepDraft, leftUnsent, type WrittenAt } from './drafts.ts'
import { nameAt, withName } from './mention-text.ts'
import classes from './comments.module.css'

/** Where a comment is written. `@` offers those who may be mentioned; Ctrl+Enter sends. */
export function Composer(props: {
  workflowId: string
  /** What is begun there comes back, also after a reload. */
  at: WrittenAt
  label: string
  initial?: string
  submit: string
  busy: boolean
  autoFocus?: boolean
  send: (text: string) => Promise<boolean>
  /** All that was written is sent. */
  done?: () => void
  /** Shuts it; what was written stays as a draft unless it is thrown away. */
  close?: () => void
}) {
  const t = useT()
  const k = useKitText()
  const { workflowId, at, initial = '' } = props
  const [text, setText] = useState(() => draftAt(workflowId, at) ?? initial)
  const latest = useLatest(text)
  // What is put once it was sent belongs to the comment as it is by then.
  const put = useSteady((next: string) => {
    setText(next)
    keepDraft(workflowId, at, next, initial)
  })
  const field = useRef<HTMLTextAreaElement>(null)
  const names = useNames(workflowId, text, put, field)
  const listId = useId()
  const ready = text.trim() !== '' && !props.busy
  const send = async () => {
    if (!ready || !(await props.send(text.trim()))) return
    // What was written while it was on its way stays; a change is of the whole comment.
    const left =
      latest.current === text ? '' : 'change' in at ? latest.current : leftUnsent(latest.current, text)
    put(left)
    if (left === '') props.done?.()
  }
  const throwAway = () => {
    put(initial)
    props.close?.()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (names.onKeyDown(event)) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void send()
    } else if (event.key === 'Escape' && props.close) {
      event.stopPropagation()
      props.close()
    }
  }
  return (
    <div className={classes.composer}>
      <GrowingText
        ref={field}
        value={text}
        // What is not there yet has the page's direction, as the words in its place.
        {...(text === '' ? {} : { dir: 'auto' })}
        minRows={2}
        maxRows={12}
        maxLength={COMMENT_LIMITS.text}
        aria-label={props.label}
        placeholder={t('placeholder')}
        data-autofocus={props.autoFocus || undefined}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it opens because somebody wants to write
        autoFocus={props.autoFocus ?? false}
        aria-autocomplete="list"
        {...(names.offered.length > 0
          ? { 'aria-controls': listId, 'aria-activedescendant': `${listId}-${names.at}` }
          : {})}
        onChange={(event) => {
          put(event.currentTarget.value)
          names.look(event.currentTarget)
        }}
        onSelect={(event) => names.look(event.currentTarget)}
        onBlur={names.close}
        onKeyDown={onKeyDown}
      />
      {names.offered.length > 0 && (
        <div id={listId} role="listbox" aria-label={t('mention')} className={classes.offers}>
          {names.offered.map((person, index) => (
            // The keys of the field choose.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={person.id}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === names.at}
              className={classes.offer}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => names.choose(person)}
            >
              <Face userId={person.id} name={person.displayName} />
              <bdi>{person.displayName}</bdi>
              <bdi className={classes.username}>@{person.username}</bdi>
            </div>
          ))}
        </div>
      )}
      <div className={classes.buttons}>
        <Button size="compact-sm" disabled={!ready} loading={props.busy} onClick={() => void send()}>
          {props.submit}
        </Button>
        {props.close && (
          <Button size="compact-sm" variant="subtle" color="gray" onClick={throwAway}>
            {k('common.cancel')}
          </Button>
        )}
        <span className={classes.hint}>{t('hint')}</span>
      </div>
    </div>
  )
}

const NOBODY: readonly Commenter[] = []
const LOOK_MS = 150

/** The names that are offered for what stands before the caret. */
function useNames(
  workflowId: string,
  text: string,
  setText: (text: string) => void,
  field: { readonly current: HTMLTextAreaElement | null },
) {
  const [typed, setTyped] = useState<{ q: string; from: number; caret: number } | null>(null)
  const [at, setAt] = useState(0)
  const [caret, setCaret] = useState<{ at: number } | null>(null)
  const [q] = useDebouncedValue(typed?.q ?? null, LOOK_MS)
  const found = useRead(
    workflowComments.people,
    { workflowId, q: q ?? '' },
    { enabled: typed !== null && q !== null, keep: true },
  )
  const offered = typed === null ? NOBODY : (found.data ?? NOBODY)
  useLayoutEffect(() => {
    if (caret) field.current?.setSelectionRange(caret.at, caret.at)
  }, [caret, field])
  const close = () => setTyped(null)
  const look = (element: HTMLTextAreaElement) => {
    const place = element.selectionStart
    const name = nameAt(element.value, place)
    setCaret(null)
    if (name?.q !== typed?.q) setAt(0)
    setTyped(name && { ...name, caret: place })
  }
  const choose = ({ username }: Commenter) => {
    if (!typed) return
    const next = withName(text, typed.from, typed.caret, username)
    setText(next.text)
    setCaret({ at: next.caret })
    close()
  }
  /** True where the key was for the list. */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const chosen = offered[at]
    if (!chosen || event.ctrlKey || event.metaKey || event.altKey) return false
    if (event.key === 'ArrowDown') setAt((at + 1) % offered.length)
    else if (event.key === 'ArrowUp') setAt((at + offered.length - 1) % offered.length)
    else if (event.key === 'Enter' || event.key === 'Tab') choose(chosen)
    else if (event.key === 'Escape') close()
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  return { offered, at, look, choose, close, onKeyDown }
}
