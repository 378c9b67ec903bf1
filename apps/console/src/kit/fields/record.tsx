import { useField } from '../form/context.ts'
import { FieldFrame, describedBy, type FieldProps } from './frame.tsx'
import { RecordPicker, RecordsPicker, type ListEndpoint, type RowOf } from './record-picker.tsx'

type RecordFieldProps<E extends ListEndpoint> = FieldProps & {
  /** The list that is searched. */
  from: E
  /** The call that gives one record, to name what is chosen already. */
  get?: Parameters<typeof RecordPicker<E>>[0]['source']['get']
  /** How a record is named. */
  option: (row: RowOf<E>) => string
  detail?: Parameters<typeof RecordPicker<E>>[0]['source']['detail']
  filter?: Readonly<Record<string, unknown>>
}

function sourceOf<E extends ListEndpoint>(props: RecordFieldProps<E>) {
  return {
    from: props.from,
    label: props.option,
    ...(props.get ? { get: props.get } : {}),
    ...(props.detail ? { detail: props.detail } : {}),
    ...(props.filter ? { filter: props.filter } : {}),
  }
}

/** Another record by its id, found by searching its list. */
export function RecordSelect<E extends ListEndpoint>(
  props: RecordFieldProps<E> & { onPick?: (row: RowOf<E> | null) => void },
) {
  const field = useField(props.name)
  return (
    <FieldFrame name={props.name} label={props.label} help={props.help}>
      <RecordPicker
        source={sourceOf(props)}
        id={field.id}
        label={props.label ?? field.label}
        value={typeof field.value === 'string' ? field.value : null}
        onChange={(id, row) => {
          field.set(id ?? (field.info.nullable ? null : undefined))
          props.onPick?.(row)
        }}
        onLeave={field.leave}
        clearable={!field.info.required}
        error={Boolean(field.error)}
        disabled={field.disabled || Boolean(props.disabled)}
        {...(props.placeholder ? { placeholder: props.placeholder } : {})}
        aria={describedBy(field, props.help ?? field.help)}
      />
    </FieldFrame>
  )
}

/** Several other records by their ids. */
export function RecordMultiSelect<E extends ListEndpoint>(props: RecordFieldProps<E>) {
  const field = useField(props.name)
  return (
    <FieldFrame name={props.name} label={props.label} help={props.help}>
      <RecordsPicker
        source={sourceOf(props)}
        id={field.id}
        label={props.label ?? field.label}
        value={Array.isArray(field.value) ? field.value.filter((id) => typeof id === 'string') : []}
        onChange={field.set}
        onLeave={field.leave}
        error={Boolean(field.error)}
        disabled={field.disabled || Boolean(props.disabled)}
        {...(props.placeholder ? { placeholder: props.placeholder } : {})}
        aria={describedBy(field, props.help ?? field.help)}
      />
    </FieldFrame>
  )
}
