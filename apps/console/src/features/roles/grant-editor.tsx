import { ActionIcon, Button, MultiSelect, Select, TagsInput, TextInput } from '@mantine/core'
import { IconPlus, IconTrash, IconUser, IconX } from '@tabler/icons-react'
import type { Action } from '@weft/contract/core/permissions'
import type { FunctionEntry } from '@weft/contract/roles/schema'
import { randomKey } from '../../lib/id.ts'
import { OWN, type Grant } from './model/cells.ts'
import {
  conditionsOf,
  operatorsFor,
  OPERATORS,
  rowsOf,
  takesMany,
  type ConditionRow,
  type FieldKind,
  type Value,
} from './model/conditions.ts'
import classes from './roles.module.css'
import { useT } from './text.ts'
import { fieldName, valueName } from './words.ts'

/** A grant while it is edited. */
export interface GrantDraft {
  key: string
  rows: ConditionRow[]
  fields: string[]
}

/** A grant as it is edited. */
export function draftOf({ conditions, fields }: Grant): GrantDraft {
  return { key: randomKey(), rows: rowsOf(conditions), fields: fields ?? [] }
}

/** What was edited as a grant; null where something is not filled in. */
export function grantOf({ rows, fields }: GrantDraft): Grant | null {
  const conditions = conditionsOf(rows)
  if (!conditions) return null
  return {
    ...(rows.length > 0 ? { conditions } : {}),
    ...(fields.length > 0 ? { fields } : {}),
  }
}

interface GrantEditorProps {
  entry: FunctionEntry
  action: Action
  draft: GrantDraft
  readOnly: boolean
  /** Whether somebody tried to apply it, so that gaps are shown. */
  asked: boolean
  onChange: (draft: GrantDraft) => void
  onRemove: () => void
}

/** One way in which something is allowed: all of its conditions must hold. */
export function GrantEditor({ entry, action, draft, readOnly, asked, ...on }: GrantEditorProps) {
  const t = useT()
  const set = (rows: ConditionRow[]) => on.onChange({ ...draft, rows })
  const hasOwner = entry.conditions.some(({ name }) => name === 'ownerId')
  const isWhole = draft.rows.length === 0 && draft.fields.length === 0
  return (
    <div className={classes.grant}>
      <div className={classes.grantHead}>
        <span className={classes.none}>{isWhole ? t('drawer.all') : ''}</span>
        {!readOnly && (
          <ActionIcon aria-label={t('drawer.removeWay')} title={t('drawer.removeWay')} onClick={on.onRemove}>
            <IconTrash size={16} />
          </ActionIcon>
        )}
      </div>
      {draft.rows.map((row, at) => (
        <Line
          key={at}
          entry={entry}
          row={row}
          readOnly={readOnly}
          onChange={(next) => set(draft.rows.map((one, index) => (index === at ? next : one)))}
          onRemove={() => set(draft.rows.filter((_, index) => index !== at))}
        />
      ))}
      {asked && grantOf(draft) === null && (
        <p role="alert" className={classes.problem}>
          {t('drawer.incomplete')}
        </p>
      )}
      {!readOnly && (
        <div className={classes.grantTools}>
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => set([...draft.rows, { field: '', operator: 'is', values: [] }])}
          >
            {t('drawer.addCondition')}
          </Button>
          {hasOwner && !draft.rows.some(({ field }) => field === 'ownerId') && (
            <Button
              variant="subtle"
              size="compact-xs"
              leftSection={<IconUser size={14} aria-hidden />}
              onClick={() => set([...draft.rows, ...rowsOf(OWN)])}
            >
              {t('drawer.ownOnly')}
            </Button>
          )}
        </div>
      )}
      {action === 'UPDATE' && entry.fields.length > 0 && (
        <MultiSelect
          mt={8}
          size="sm"
          label={t('drawer.fields')}
          description={t('drawer.fieldsHelp')}
          data={entry.fields.map((field) => ({ value: field, label: fieldName(entry.subject, field) }))}
          value={draft.fields}
          onChange={(fields) => on.onChange({ ...draft, fields })}
          readOnly={readOnly}
          searchable
        />
      )}
    </div>
  )
}

const KIND_OF_NONE: FieldKind = 'text'

function Line(props: {
  entry: FunctionEntry
  row: ConditionRow
  readOnly: boolean
  onChange: (row: ConditionRow) => void
  onRemove: () => void
}) {
  const t = useT()
  const { entry, row, readOnly } = props
  const field = entry.conditions.find(({ name }) => name === row.field)
  const kind = field?.kind ?? KIND_OF_NONE
  return (
    <div className={classes.line}>
      <Select
        size="sm"
        aria-label={t('drawer.field')}
        placeholder={t('drawer.field')}
        data={entry.conditions.map(({ name }) => ({ value: name, label: fieldName(entry.subject, name) }))}
        value={row.field || null}
        onChange={(name) => props.onChange({ field: name ?? '', operator: 'is', values: [] })}
        readOnly={readOnly}
        searchable
      />
      <Select
        size="sm"
        aria-label={t('drawer.operator')}
        data={operatorsFor(kind).map((one) => ({ value: one, label: t(`operators.${one}`) }))}
        value={row.operator}
        onChange={(value) => {
          const operator = OPERATORS.find((one) => one === value) ?? 'is'
          props.onChange({
            ...row,
            operator,
            values: takesMany(operator) ? row.values : row.values.slice(0, 1),
          })
        }}
        readOnly={readOnly}
        allowDeselect={false}
      />
      <ValueInput
        subject={entry.subject}
        row={row}
        kind={kind}
        options={field?.options ?? []}
        readOnly={readOnly}
        onChange={(values) => props.onChange({ ...row, values })}
      />
      {!readOnly && (
        <ActionIcon
          aria-label={t('drawer.removeCondition')}
          title={t('drawer.removeCondition')}
          onClick={props.onRemove}
        >
          <IconX size={16} />
        </ActionIcon>
      )}
    </div>
  )
}

const ONESELF = '${user.id}'

function ValueInput(props: {
  subject: FunctionEntry['subject']
  row: ConditionRow
  kind: FieldKind
  options: readonly string[]
  readOnly: boolean
  onChange: (values: Value[]) => void
}) {
  const t = useT()
  const { subject, row, kind, readOnly } = props
  const shared = {
    size: 'sm',
    'aria-label': t('drawer.value'),
    placeholder: t('drawer.value'),
    readOnly,
  } as const
  const texts = row.values.map((value) => (value === null ? '' : String(value)))
  const choices = (kind === 'boolean' ? ['true', 'false'] : props.options).map((value) => ({
    value,
    label: valueName(subject, row.field, kind === 'boolean' ? value === 'true' : value),
  }))
  if (choices.length > 0) {
    if (takesMany(row.operator))
      return <MultiSelect {...shared} data={choices} value={texts} onChange={props.onChange} />
    const read = (value: string | null): Value[] =>
      value === null ? [] : [kind === 'boolean' ? value === 'true' : value]
    return (
      <Select
        {...shared}
        data={choices}
        value={texts[0] ?? null}
        onChange={(value) => props.onChange(read(value))}
      />
    )
  }
  if (takesMany(row.operator))
    return (
      <TagsInput {...shared} value={texts} onChange={props.onChange} description={t('drawer.valuesHelp')} />
    )
  if (kind === 'id' && (texts[0] === ONESELF || texts[0] === undefined))
    return (
      <Select
        {...shared}
        data={[{ value: ONESELF, label: t('words.oneself') }]}
        value={texts[0] ?? null}
        onChange={(value) => props.onChange(value === null ? [] : [value])}
      />
    )
  return (
    <TextInput
      {...shared}
      dir="ltr"
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      value={texts[0] ?? ''}
      onChange={(event) => props.onChange(readText(event.currentTarget.value, kind))}
    />
  )
}

function readText(value: string, kind: FieldKind): Value[] {
  if (value === '') return []
  if (kind !== 'number') return [value]
  const number = Number(value)
  return Number.isFinite(number) ? [number] : []
}
