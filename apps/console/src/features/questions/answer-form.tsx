import { SegmentedControl, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { z } from 'zod'
import { questions } from '@weft/contract/questions/api'
import type { Asked } from '@weft/contract/questions/schema'
import { id as idSchema } from '@weft/contract/core/record'
import { answersSchema, type QuestionField } from '@weft/workflow/question'
import { SelectField } from '../../kit/fields/choice.tsx'
import { describedBy, FieldFrame } from '../../kit/fields/frame.tsx'
import { NumberField } from '../../kit/fields/number.tsx'
import { TextareaField } from '../../kit/fields/text.tsx'
import { useField } from '../../kit/form/context.ts'
import { FormBody } from '../../kit/form/form.tsx'
import { useCallForm } from '../../kit/form/use-resource-form.ts'
import { useT } from './text.ts'

/** The form of a question, made of its fields; what is sent is checked by the schema that the server checks it by. */
export function AnswerForm({ question, onDone }: { question: Asked; onDone: () => void }) {
  const t = useT()
  const { id, fields } = question
  const endpoint = useMemo(
    () => ({
      ...questions.answer,
      input: z.strictObject({ id: idSchema, answers: answersSchema(fields) }),
    }),
    [fields],
  )
  const initial = useMemo(
    () => ({
      id,
      answers: Object.fromEntries(fields.flatMap(({ name, required }) => (required ? [] : [[name, null]]))),
    }),
    [id, fields],
  )
  const form = useCallForm(endpoint, { initial, done: t('done'), onDone })
  return (
    <FormBody form={form} submitLabel={t(fields.length > 0 ? 'answer' : 'confirm')} cancel={false}>
      {fields.map((field) => (
        <AnswerField key={field.name} field={field} />
      ))}
    </FormBody>
  )
}

function AnswerField({ field }: { field: QuestionField }) {
  const name = `answers.${field.name}`
  const label = field.label === '' ? field.name : field.label
  switch (field.kind) {
    case 'number':
      return <NumberField name={name} label={label} />
    case 'choice':
      return (
        <SelectField
          name={name}
          label={label}
          options={field.options.map((option) => ({ value: option, label: option }))}
        />
      )
    case 'boolean':
      return <YesNo name={name} label={label} />
    case 'date':
      return <DateField name={name} label={label} />
    default:
      return <TextareaField name={name} label={label} />
  }
}

/** Yes or no, and neither until somebody has said so. */
function YesNo({ name, label }: { name: string; label: string }) {
  const t = useT()
  const field = useField(name)
  return (
    <FieldFrame name={name} label={label} group>
      <SegmentedControl
        data={[
          { value: 'yes', label: t('yes') },
          { value: 'no', label: t('no') },
        ]}
        value={field.value === true ? 'yes' : field.value === false ? 'no' : ''}
        onChange={(value) => field.set(value === 'yes')}
        disabled={field.disabled}
      />
    </FieldFrame>
  )
}

/** A day, without a time. */
function DateField({ name, label }: { name: string; label: string }) {
  const field = useField(name)
  return (
    <FieldFrame name={name} label={label}>
      <TextInput
        id={field.id}
        type="date"
        value={typeof field.value === 'string' ? field.value : ''}
        onChange={(event) => {
          const day = event.currentTarget.value
          field.set(day === '' ? (field.info.nullable ? null : undefined) : day)
        }}
        onBlur={field.leave}
        error={Boolean(field.error)}
        disabled={field.disabled}
        {...describedBy(field, undefined)}
      />
    </FieldFrame>
  )
}
