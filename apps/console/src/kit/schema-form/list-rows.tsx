import type { Json, JsonObject } from '@weft/workflow/json'
import type { ComponentType } from 'react'
import { useKitText } from '../../lib/i18n/texts.ts'
import { AddRow } from './add-row.tsx'
import { RowTools } from './row-tools.tsx'
import type { SchemaFieldProps } from './types.ts'
import { asList, isFieldShown, isObject, moved, newRow, withField } from './values.ts'
import classes from './schema-form.module.css'

/** Rows with fields of their own. */
export function ListRows({
  field,
  path,
  value,
  onChange,
  form,
  Field,
}: SchemaFieldProps & {
  /** Draws one field; handed in, since a field may be a list again. */
  Field: ComponentType<SchemaFieldProps>
}) {
  const t = useKitText()
  const rows = asList(value).map((row): JsonObject => (isObject(row) ? row : {}))
  const items = (field.items ?? []).filter(({ name }) => !(field.keyed && name === 'key'))
  const put = (next: Json[]) => onChange(next.length > 0 || field.required ? next : undefined)
  return (
    <div className={classes.rows}>
      {rows.map((row, at) => (
        <div key={typeof row['key'] === 'string' ? row['key'] : at} className={classes.row}>
          <div className={classes.rowHead}>
            <span className={classes.rowNumber}>{at + 1}</span>
            <RowTools
              at={at}
              count={rows.length}
              disabled={form.readOnly === true}
              onMove={(by) => put(moved(rows, at, by))}
              onRemove={() => put(rows.filter((_, index) => index !== at))}
            />
          </div>
          {items
            .filter((item) => isFieldShown(item, items, row))
            .map((item) => (
              <Field
                key={item.name}
                field={item}
                path={`${path}.${at}.${item.name}`}
                value={row[item.name]}
                onChange={(next) =>
                  put(rows.map((one, index) => (index === at ? withField(one, item.name, next) : one)))
                }
                form={form}
              />
            ))}
        </div>
      ))}
      {!form.readOnly && rows.length < (field.max ?? 100) && (
        <AddRow label={t('form.addRow')} onAdd={() => put([...rows, newRow(field, rows)])} />
      )}
    </div>
  )
}
