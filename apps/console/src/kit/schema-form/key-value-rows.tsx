import { TextInput } from '@mantine/core'
import type { Json } from '@weft/workflow/json'
import { useKitText } from '../../lib/i18n/texts.ts'
import { AddRow } from './add-row.tsx'
import { RowTools } from './row-tools.tsx'
import { TemplateInput } from './template-input.tsx'
import { schemaFieldId, type SchemaFieldProps } from './types.ts'
import { asList, isObject, moved } from './values.ts'
import classes from './schema-form.module.css'

/** Rows of a name and a value that may hold templates. */
export function KeyValueRows({ path, value, onChange, form }: SchemaFieldProps) {
  const t = useKitText()
  const rows = asList(value).map((row) => ({
    name: isObject(row) && typeof row['name'] === 'string' ? row['name'] : '',
    value: isObject(row) && typeof row['value'] === 'string' ? row['value'] : '',
  }))
  const put = (next: Json[]) => onChange(next.length > 0 ? next : undefined)
  const change = (at: number, part: Partial<{ name: string; value: string }>) =>
    put(rows.map((row, index) => (index === at ? { ...row, ...part } : row)))
  return (
    <div className={classes.rows}>
      {rows.map((row, at) => {
        const problem = form.problemAt?.(`${path}.${at}.value`) ?? form.problemAt?.(`${path}.${at}.name`)
        return (
          <div key={at} className={classes.pair}>
            <TextInput
              id={schemaFieldId(form.idPrefix, `${path}.${at}.name`)}
              aria-label={`${t('form.name')} ${at + 1}`}
              placeholder={t('form.name')}
              value={row.name}
              disabled={form.readOnly}
              dir="ltr"
              onChange={(event) => change(at, { name: event.currentTarget.value })}
            />
            <TemplateInput
              id={schemaFieldId(form.idPrefix, `${path}.${at}.value`)}
              label={`${t('form.value')} ${at + 1}`}
              placeholder={t('form.value')}
              kind="template"
              multiline={false}
              value={row.value}
              scope={form.scope ?? []}
              preview={form.preview}
              disabled={form.readOnly === true}
              onChange={(next) => change(at, { value: next })}
            />
            <RowTools
              at={at}
              count={rows.length}
              disabled={form.readOnly === true}
              onMove={(by) => put(moved(rows, at, by))}
              onRemove={() => put(rows.filter((_, index) => index !== at))}
            />
            {problem && (
              <p className={classes.problem} data-severity={problem.severity}>
                {problem.text}
              </p>
            )}
          </div>
        )
      })}
      {!form.readOnly && (
        <AddRow label={t('form.addRow')} onAdd={() => put([...rows, { name: '', value: '' }])} />
      )}
    </div>
  )
}
