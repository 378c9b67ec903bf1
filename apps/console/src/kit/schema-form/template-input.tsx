import { ActionIcon, Menu, TextInput, Textarea, Tooltip } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import { useRef } from 'react'
import { useKitText } from '../../lib/i18n/texts.ts'
import type { ScopeValue } from './types.ts'
import { insertTemplate } from './values.ts'
import classes from './schema-form.module.css'

/** Text that may hold templates, or one expression; a menu offers the values that may be used. */
export function TemplateInput(props: {
  id: string
  kind: 'template' | 'code' | 'expression'
  value: string
  onChange: (value: string) => void
  multiline: boolean
  scope: readonly ScopeValue[]
  disabled?: boolean
  label?: string
  placeholder?: string
}) {
  const { id, kind, value, onChange, multiline, scope, disabled, label, placeholder, ...aria } = props
  const box = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const insert = (expression: string) => {
    const from = box.current?.selectionStart ?? value.length
    const to = box.current?.selectionEnd ?? from
    const next =
      kind === 'expression'
        ? value.slice(0, from) + expression + value.slice(to)
        : insertTemplate(value, expression, from, to)
    onChange(next)
    const caret = from + (next.length - value.length) + (to - from)
    requestAnimationFrame(() => {
      box.current?.focus()
      box.current?.setSelectionRange(caret, caret)
    })
  }
  const control = {
    ...aria,
    ref: box,
    id,
    value,
    disabled,
    placeholder,
    'aria-label': label,
    spellCheck: kind === 'template',
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
    rightSection: scope.length > 0 && !disabled ? <ScopeMenu scope={scope} onPick={insert} /> : null,
    rightSectionPointerEvents: 'all' as const,
    ...(kind === 'template' ? {} : { dir: 'ltr' as const, classNames: { input: classes.mono ?? '' } }),
  }
  if (!multiline) return <TextInput {...control} />
  return <Textarea {...control} autosize minRows={kind === 'code' ? 5 : 2} maxRows={18} />
}

function ScopeMenu({
  scope,
  onPick,
}: {
  scope: readonly ScopeValue[]
  onPick: (expression: string) => void
}) {
  const t = useKitText()
  const groups = [...new Set(scope.map(({ group }) => group))]
  return (
    <Menu width={320}>
      <Menu.Target>
        <Tooltip label={t('schema.insert')}>
          <ActionIcon size={26} aria-label={t('schema.insert')}>
            <IconBraces size={15} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {groups.map((group) => [
          <Menu.Label key={group}>{group}</Menu.Label>,
          ...scope
            .filter((entry) => entry.group === group)
            .map(({ expression, hint }) => (
              <Menu.Item key={expression} onClick={() => onPick(expression)}>
                <code className={classes.expression}>{expression}</code>
                {hint && <span className={classes.hint}>{hint}</span>}
              </Menu.Item>
            )),
        ])}
      </Menu.Dropdown>
    </Menu>
  )
}
