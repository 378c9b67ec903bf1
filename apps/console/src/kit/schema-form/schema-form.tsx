import { Button } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { useKitText } from '../../lib/i18n/texts.ts'
import { SchemaField } from './schema-field.tsx'
import type { SchemaFormProps } from './types.ts'
import { isFieldShown, withField } from './values.ts'
import classes from './schema-form.module.css'

const GROUPS = ['main', 'options', 'advanced'] as const

/** A form made from the fields of an activity: main ones first, options, and what most authors leave alone. */
export function SchemaForm({ fields, value, onChange, ...form }: SchemaFormProps) {
  const t = useKitText()
  const shown = fields.filter((field) => isFieldShown(field, fields, value))
  const [open, setOpen] = useState(false)
  return (
    <div className={classes.form}>
      {GROUPS.map((group) => {
        const own = shown.filter((field) => field.group === group)
        if (own.length === 0) return null
        const folded = group === 'advanced' && !open && !own.some(({ name }) => form.problemAt?.(name))
        return (
          <div key={group} className={classes.group} data-group={group}>
            {group === 'options' && <h3 className={classes.heading}>{t('schema.groups.options')}</h3>}
            {group === 'advanced' && (
              <Button
                variant="subtle"
                color="gray"
                size="compact-sm"
                className={classes.toggle}
                aria-expanded={!folded}
                leftSection={<IconChevronDown size={14} data-open={!folded || undefined} aria-hidden />}
                onClick={() => setOpen(folded)}
              >
                {t('schema.groups.advanced')}
              </Button>
            )}
            {!folded &&
              own.map((field) => (
                <SchemaField
                  key={field.name}
                  field={field}
                  path={field.name}
                  value={value[field.name]}
                  onChange={(next) => onChange(withField(value, field.name, next), field.name)}
                  form={form}
                />
              ))}
          </div>
        )
      })}
    </div>
  )
}
