import { ActionIcon, Popover, TextInput, Tooltip } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import { useDeferredValue, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { GrowingText } from '../fields/growing-text.tsx'
import { useKitText } from '../../lib/i18n/texts.ts'
import { completionAt, withCompletion, type TextKind } from './completion.ts'
import { groupsOf, optionId, Suggestions } from './suggestions.tsx'
import type { PreviewOf, ScopeValue } from './types.ts'
import classes from './schema-form.module.css'

/** Why the list of values is open: somebody types a name, or asked for it; closed otherwise. */
type Opened = 'no' | 'typing' | 'asked'

/** Text that may hold templates, or one expression. While a name is typed the values that fit are offered. */
export function TemplateInput(props: {
  id: string
  kind: TextKind
  value: string
  onChange: (value: string) => void
  multiline: boolean
  scope: readonly ScopeValue[]
  preview?: PreviewOf | undefined
  disabled?: boolean
  label?: string
  placeholder?: string
}) {
  const t = useKitText()
  const { id, kind, value, onChange, multiline, scope, preview, disabled, label, placeholder, ...aria } =
    props
  const box = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const [opened, setOpened] = useState<Opened>('no')
  const [caret, setCaret] = useState(0)
  const [active, setActive] = useState(0)
  const completion = useMemo(
    () => (opened === 'no' ? null : completionAt(value, caret, kind, scope, opened === 'asked')),
    [opened, value, caret, kind, scope],
  )
  const groups = useMemo(() => groupsOf(completion?.entries ?? []), [completion])
  const entries = useMemo(() => groups.flatMap(({ entries: own }) => own), [groups])
  const current = entries[Math.min(active, entries.length - 1)]
  const listId = `${id}-values`

  const follow = (why: Opened) => {
    setOpened(why)
    setActive(0)
    setCaret(box.current?.selectionStart ?? value.length)
  }
  const pick = (entry: ScopeValue) => {
    if (!completion) return
    const put = withCompletion(value, completion, entry.expression)
    setOpened('no')
    onChange(put.text)
    requestAnimationFrame(() => {
      box.current?.focus()
      box.current?.setSelectionRange(put.caret, put.caret)
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const asks = (event.ctrlKey && event.code === 'Space') || (event.altKey && event.key === 'ArrowDown')
    if (asks && scope.length > 0) {
      event.preventDefault()
      return follow('asked')
    }
    if (!completion || !current) return undefined
    if (event.key === 'Tab') {
      setOpened('no')
      return undefined
    }
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step !== undefined) setActive((entries.indexOf(current) + step + entries.length) % entries.length)
    else if (event.key === 'Enter') pick(current)
    else if (event.key === 'Escape') setOpened('no')
    else return undefined
    event.preventDefault()
    event.stopPropagation()
    return undefined
  }
  const shown = completion !== null && entries.length > 0
  const control = {
    ...aria,
    ref: box,
    id,
    value,
    disabled,
    placeholder,
    'aria-label': label,
    'aria-autocomplete': 'list' as const,
    'aria-haspopup': 'listbox' as const,
    ...(shown && multiline ? { 'aria-controls': listId } : {}),
    ...(shown && current ? { 'aria-activedescendant': optionId(listId, current) } : {}),
    // Whatever is around, such as a drawer, must not close by the Escape that closes the list.
    ...(shown ? { 'data-mantine-stop-propagation': 'true' } : {}),
    spellCheck: kind === 'template',
    autoComplete: 'off',
    onKeyDown,
    onChange: (event: { currentTarget: { value: string } }) => {
      follow('typing')
      onChange(event.currentTarget.value)
    },
    onSelect: () => {
      if (opened !== 'no' && box.current) setCaret(box.current.selectionStart ?? 0)
    },
    onBlur: () => setOpened('no'),
    rightSection:
      scope.length > 0 && !disabled ? (
        <Tooltip label={t('schema.insert')}>
          <ActionIcon
            size={26}
            aria-label={t('schema.insert')}
            // The caret stays where it is.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              box.current?.focus()
              follow(opened === 'asked' ? 'no' : 'asked')
            }}
          >
            <IconBraces size={15} />
          </ActionIcon>
        </Tooltip>
      ) : null,
    rightSectionPointerEvents: 'all' as const,
    ...(kind === 'template' ? {} : { dir: 'ltr' as const, classNames: { input: classes.mono ?? '' } }),
  }
  return (
    <>
      <Popover
        opened={shown}
        onChange={(open) => !open && setOpened('no')}
        position="bottom-start"
        width="target"
        trapFocus={false}
        returnFocus={false}
        closeOnEscape={false}
        withRoles={false}
        portalProps={{ target: document.querySelector('main') ?? document.body }}
        transitionProps={{ duration: 0 }}
        shadow="md"
      >
        <Popover.Target>
          <div className={classes.typed}>
            {multiline ? (
              <GrowingText {...control} minRows={kind === 'code' ? 5 : 2} maxRows={18} />
            ) : (
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
              <TextInput {...control} role="combobox" aria-expanded={shown} aria-controls={listId} />
            )}
          </div>
        </Popover.Target>
        <Popover.Dropdown p={4} miw={300} className={classes.dropdown ?? ''}>
          <Suggestions id={listId} groups={groups} current={current} pick={pick} />
        </Popover.Dropdown>
      </Popover>
      {/* A text field of several lines cannot say by itself that a list has opened. */}
      <output className="unseen">{shown ? t('schema.fitting', { count: entries.length }) : ''}</output>
      {preview && <Preview of={preview} text={value} kind={kind} />}
    </>
  )
}

/** What it gives now; it follows the typing and does not hold it up. */
function Preview({ of: Of, text, kind }: { of: PreviewOf; text: string; kind: TextKind }) {
  const calm = useDeferredValue(text)
  if (calm.trim() === '' || (kind !== 'expression' && !calm.includes('{{'))) return null
  return <Of text={calm} kind={kind} />
}
