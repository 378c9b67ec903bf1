import { Input, NativeSelect, Select, Switch, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useKitText } from '../../lib/i18n/texts.ts'
import { KeyValueRows } from './key-value-rows.tsx'
import { ListRows } from './list-rows.tsx'
import { NumberText } from './number-text.tsx'
import { Targets } from './targets.tsx'
import { TemplateInput } from './template-input.tsx'
import { schemaFieldId, type FieldProblem, type SchemaFieldProps } from './types.ts'
import classes from './schema-form.module.css'

const GROUPED = new Set(['targets', 'keyvalue', 'list'])

/** One field of a generated form, with its label, help and problem. */
export function SchemaField(props: SchemaFieldProps) {
  const { field, path, form, value } = props
  const id = schemaFieldId(form.idPrefix, path)
  const label = form.text(field.labelKey)
  const help = field.helpKey ? form.text(field.helpKey) : undefined
  const problem = form.problemAt?.(path)
  const grouped = GROUPED.has(field.kind)
  if (field.kind === 'boolean') return <BooleanField {...props} id={id} label={label} help={help} />
  return (
    <div
      className={classes.field}
      {...(grouped ? { role: 'group', 'aria-labelledby': `${id}-label`, id, tabIndex: -1 } : {})}
    >
      <Input.Label
        id={`${id}-label`}
        labelElement={grouped ? 'div' : 'label'}
        {...(grouped ? {} : { htmlFor: id })}
        required={field.required}
        mb={4}
      >
        {label}
      </Input.Label>
      <Control {...props} id={id} />
      {help && (
        <Input.Description id={`${id}-help`} mt={4}>
          {help}
        </Input.Description>
      )}
      {problem && <ProblemLine id={id} problem={problem} value={value} />}
    </div>
  )
}

/** What is wrong with a field; where it is about a part of its text, that part is shown and leads there. */
function ProblemLine(props: { id: string; problem: FieldProblem; value: unknown }) {
  const t = useKitText()
  const { id, problem, value } = props
  const { at } = problem
  const part = at && typeof value === 'string' ? value.slice(at.from, at.to).trim() : ''
  const show = () => {
    const control = document.getElementById(id)
    if (!at || !(control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)) return
    control.focus()
    control.setSelectionRange(at.from, at.to)
  }
  return (
    <p id={`${id}-problem`} className={classes.problem} data-severity={problem.severity}>
      {problem.text}
      {at && part !== '' && (
        <button type="button" className={classes.spot} onClick={show}>
          <bdi dir="ltr">{part.length > 40 ? `${part.slice(0, 40)}…` : part}</bdi>
          <span>{t('schema.position', { at: at.from + 1 })}</span>
        </button>
      )}
    </p>
  )
}

function BooleanField(props: SchemaFieldProps & { id: string; label: string; help: string | undefined }) {
  const { field, value, form } = props
  return (
    <Switch
      id={props.id}
      label={props.label}
      description={props.help}
      checked={value === undefined ? field.default === true : value === true}
      disabled={form.readOnly}
      error={form.problemAt?.(props.path)?.text}
      onChange={(event) => {
        const checked = event.currentTarget.checked
        props.onChange(checked === field.default ? undefined : checked)
      }}
    />
  )
}

/** What a control says of its help and its problem. */
function aria(props: SchemaFieldProps, id: string) {
  const problem = props.form.problemAt?.(props.path)
  const ids = [props.field.helpKey ? `${id}-help` : '', problem ? `${id}-problem` : '']
    .filter(Boolean)
    .join(' ')
  return {
    ...(ids ? { 'aria-describedby': ids } : {}),
    ...(problem?.severity === 'error' ? { 'aria-invalid': true } : {}),
  }
}

function Control(props: SchemaFieldProps & { id: string }): ReactNode {
  const t = useKitText()
  const { field, value, onChange, form, id } = props
  const texts = typeof value === 'string' ? value : ''
  const common = { id, disabled: form.readOnly === true, ...aria(props, id) }
  switch (field.kind) {
    case 'text':
      return (
        <TextInput
          {...common}
          value={texts}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
          autoComplete="off"
        />
      )
    case 'template':
    case 'code':
    case 'expression':
      return (
        <TemplateInput
          {...common}
          kind={field.kind}
          value={value === undefined ? defaultText(field.default) : textOf(value)}
          multiline={field.multiline === true || field.kind === 'code'}
          scope={form.scope ?? []}
          preview={form.preview}
          onChange={(next) => onChange(next === '' && !field.required ? undefined : next)}
        />
      )
    case 'number':
    case 'duration':
      return (
        <NumberText
          {...common}
          value={value}
          fallback={field.default}
          dynamic={field.dynamic === true}
          suffix={field.kind === 'duration' ? t('form.seconds') : undefined}
          min={field.min}
          max={field.max}
          scope={form.scope ?? []}
          preview={form.preview}
          onChange={onChange}
        />
      )
    case 'select':
      return (
        <Select
          {...common}
          data={(field.options ?? []).map((option) => ({
            value: option.value,
            label: form.text(option.labelKey),
          }))}
          value={texts || (typeof field.default === 'string' ? field.default : null)}
          clearable={!field.required && field.default === undefined}
          onChange={(next) => onChange(next === null || next === field.default ? undefined : next)}
        />
      )
    case 'variable':
      return (
        <NativeSelect
          {...common}
          value={texts}
          data={[
            { value: '', label: t('common.none') },
            ...(form.variables ?? []),
            ...(texts && !form.variables?.includes(texts) ? [texts] : []),
          ]}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        />
      )
    case 'workflow':
      return form.workflowPicker?.({
        id,
        disabled: common.disabled,
        aria: aria(props, id),
        value: texts || null,
        onChange: (next) => onChange(next ?? undefined),
      })
    case 'targets':
      return <Targets {...props} />
    case 'keyvalue':
      return <KeyValueRows {...props} />
    case 'list':
      return <ListRows {...props} Field={SchemaField} />
    default:
      return null
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function defaultText(value: unknown): string {
  return value === undefined ? '' : textOf(value)
}
