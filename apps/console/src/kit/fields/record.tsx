import { useField, type FieldHandle } from '../form/context.ts'
import { textsIn } from './choice.tsx'
import { FieldFrame, controlOf, describedBy, type FieldProps } from './frame.tsx'
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

/** What a picker of one and of several are both told. */
function pickerOf<E extends ListEndpoint>(field: FieldHandle, props: RecordFieldProps<E>) {
  const { id, onBlur, error, disabled } = controlOf(field, props)
  return {
    source: {
      from: props.from,
      label: props.option,
      ...(props.get ? { get: props.get } : {}),
      ...(props.detail ? { detail: props.detail } : {}),
      ...(props.filter ? { filter: props.filter } : {}),
    },
    id,
    label: props.label ?? field.label,
    onLeave: onBlur,
    error,
    disabled,
    ...(props.placeholder ? { placeholder: props.placeholder } : {}),
    aria: describedBy(field, props.help ?? field.help),
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
        {...pickerOf(field, props)}
        value={typeof field.value === 'string' ? field.value : null}
        onChange={(id, row) => {
          field.set(id ?? (field.info.nullable ? null : undefined))
          props.onPick?.(row)
        }}
        clearable={!field.info.required}
      />
    </FieldFrame>
  )
}

/** Several other records by their ids. */
export function RecordMultiSelect<E extends ListEndpoint>(props: RecordFieldProps<E>) {
  const field = useField(props.name)
  return (
    <FieldFrame name={props.name} label={props.label} help={props.help}>
      <RecordsPicker {...pickerOf(field, props)} value={textsIn(field.value)} onChange={field.set} />
    </FieldFrame>
  )
}
