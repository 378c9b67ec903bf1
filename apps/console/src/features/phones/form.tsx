import { useMemo } from 'react'
import { TextInput } from '@mantine/core'
import { phones } from '@weft/contract/phones/api'
import { PHONE_SETTABLE } from '@weft/contract/phones/schema'
import { SelectField } from '../../kit/fields/choice.tsx'
import { FieldFrame, describedBy } from '../../kit/fields/frame.tsx'
import { TagsField } from '../../kit/fields/tags.tsx'
import { TextField, TextareaField } from '../../kit/fields/text.tsx'
import { useField, useFieldValue } from '../../kit/form/context.ts'
import { FieldGroup, FieldRow, FormDrawer } from '../../kit/form/form.tsx'
import { useResourceForm } from '../../kit/form/use-resource-form.ts'
import { Ltr } from '../../kit/values/values.tsx'
import { countryName } from '../../lib/countries.ts'
import { optionLabel } from '../../lib/i18n/names.ts'
import { useLanguage } from '../../lib/i18n/texts.ts'
import { countryChoices, readingOf } from './reading.ts'
import { useT } from './text.ts'
import classes from './phones.module.css'

const FIELDS = Object.keys(phones.create.input.shape)

/** The form's values of a record: its country instead of the calling code, and no status that only runs give. */
function valuesOf(record: Record<string, unknown>): Record<string, unknown> {
  const values = Object.fromEntries(Object.entries(record).filter(([name]) => FIELDS.includes(name)))
  if (typeof record['country'] === 'string') values['countryCode'] = record['country']
  if (!PHONE_SETTABLE.some((status) => status === values['status'])) delete values['status']
  return values
}

/** Creates or changes a phone, in a drawer. */
export function PhoneForm() {
  const t = useT()
  const form = useResourceForm(phones, { fromRecord: valuesOf })
  const status = form.record?.['status']
  const number = form.record?.['phoneNumber']
  const byRuns = typeof status === 'string' && !PHONE_SETTABLE.some((one) => one === status)
  return (
    <FormDrawer
      form={form}
      size={520}
      {...(typeof number === 'string' ? { title: `\u2066${number}\u2069` } : {})}
    >
      <NumberField />
      <CountryField />
      <FieldRow>
        <TextField name="label" />
        <TextField name="owner" />
      </FieldRow>
      <FieldRow>
        <SelectField name="kind" clearable={false} />
        <SelectField
          name="status"
          options={[...PHONE_SETTABLE]}
          clearable={false}
          {...(byRuns
            ? { placeholder: optionLabel('phones', 'status', status), help: t('statusByRuns') }
            : {})}
        />
      </FieldRow>
      <FieldGroup title={t('sections.further')}>
        <TextField name="deviceNote" />
        <TagsField name="tags" from={phones.tags} />
        <TextareaField name="notes" />
      </FieldGroup>
    </FormDrawer>
  )
}

/** The country whose way of writing the number has; a number with its own code finds it by itself. */
function CountryField() {
  const language = useLanguage()
  const value = useFieldValue('countryCode')
  // The names are those of the language shown.
  const choices = useMemo(() => (language ? countryChoices() : []), [language])
  const known = typeof value !== 'string' || choices.some((choice) => choice.value === value)
  const options = known ? choices : [{ value, label: value }, ...choices]
  return <SelectField name="countryCode" options={options} searchable clearable />
}

/** The number, and below it what can be made of it while it is typed. */
function NumberField() {
  const t = useT()
  const field = useField('phoneNumber')
  const place = useField('countryCode')
  const typed = typeof field.value === 'string' ? field.value : ''
  const reading = typed === '' ? null : readingOf(typed, typeof place.value === 'string' ? place.value : null)
  return (
    <FieldFrame name="phoneNumber">
      <TextInput
        id={field.id}
        type="tel"
        value={typed}
        onChange={(event) => {
          const { value } = event.currentTarget
          field.set(value)
          const own = /^\s*(\+|00)/.test(value) ? readingOf(value, null) : null
          if (own?.country) place.set(own.country)
        }}
        onBlur={field.leave}
        error={Boolean(field.error)}
        disabled={field.disabled}
        maxLength={40}
        dir="ltr"
        autoComplete="off"
        {...describedBy(field, field.help)}
      />
      {typed !== '' && (
        <output className={classes.reading} data-good={reading !== null || undefined}>
          {reading === null ? (
            t('notWhole')
          ) : (
            <>
              <Ltr>{reading.international}</Ltr>
              {reading.country !== null && <span>{countryName(reading.country)}</span>}
            </>
          )}
        </output>
      )}
    </FieldFrame>
  )
}
