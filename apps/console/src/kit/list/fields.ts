import type { ListEndpoint, PickerSource } from '../fields/record-picker.tsx'

interface Common {
  /** The field's name in the update call; a column of the same name is edited in place. */
  name: string
  /** `false`: not in place. */
  inline?: boolean
  /** `false`: not for many at once, such as what must differ from record to record. */
  bulk?: boolean
  /** It may be empty. */
  clearable?: boolean
}

/** A record to choose; `listRecordField` keeps its row's type. */
export interface ListRecordField extends Common {
  kind: 'record'
  source: PickerSource<ListEndpoint>
  /** The column that shows it, where it is not of the same name. */
  column?: string
}

/** A field of a list's rows that can be set without opening the record. */
export type ListField =
  | (Common & { kind: 'text' | 'ltr' | 'notes' | 'number' | 'dateTime' })
  | (Common & { kind: 'tags' })
  | (Common & { kind: 'option'; options: readonly string[]; wordsOf?: string })
  | ListRecordField

/** The tags that every record has. */
export const TAGS_FIELD: ListField = { name: 'tags', kind: 'tags' }
/** The notes that every record has. */
export const NOTES_FIELD: ListField = { name: 'notes', kind: 'notes', clearable: true }

/** A field that names another record, such as `recordField({ name: 'proxyId', source: { from: proxies.list, … } })`. */
export function recordField<E extends ListEndpoint>(
  field: Omit<ListRecordField, 'kind' | 'source'> & { source: PickerSource<E> },
): ListField {
  return { ...field, kind: 'record', source: field.source }
}

/** The field that a column edits in place, if any. */
export function fieldOfColumn(
  fields: readonly ListField[] | undefined,
  column: string,
): ListField | undefined {
  return fields?.find(
    (field) =>
      field.inline !== false &&
      (field.kind === 'record' ? (field.column ?? field.name) : field.name) === column,
  )
}

/** The fields that can be set for many at once; tags have ways of their own. */
export function bulkFields(fields: readonly ListField[] | undefined): readonly ListField[] {
  return (fields ?? []).filter((field) => field.bulk !== false && field.kind !== 'tags')
}
