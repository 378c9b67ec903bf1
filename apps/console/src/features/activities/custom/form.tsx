import { useNavigate } from 'react-router'
import { activities } from '@weft/contract/activities/api'
import { ACTIVITY_CATEGORIES, type ActivityRow } from '@weft/contract/activities/schema'
import { SelectField } from '../../../kit/fields/choice.tsx'
import { TextField, TextareaField } from '../../../kit/fields/text.tsx'
import { FormBody, FormDrawer } from '../../../kit/form/form.tsx'
import { useResourceForm } from '../../../kit/form/use-resource-form.ts'
import { workflowPath } from '../../workflows/actions.ts'
import { ICONS } from './icons.ts'

const FIELDS = ['name', 'category', 'icon', 'description'] as const

function Fields({ autoFocus = false }: { autoFocus?: boolean }) {
  return (
    <>
      <TextField name="name" autoFocus={autoFocus} />
      <SelectField name="category" options={ACTIVITY_CATEGORIES} />
      <SelectField name="icon" options={ICONS} searchable />
      <TextareaField name="description" />
    </>
  )
}

/** Makes a custom activity and goes to where its steps are edited. */
export function NewActivity() {
  const navigate = useNavigate()
  const form = useResourceForm(activities, {
    id: null,
    initial: { category: 'page', icon: 'IconPuzzle' },
    closeTo: '/cms/config/activity',
    onDone: ({ id }) => void navigate(workflowPath(String(id))),
  })
  return (
    <FormDrawer form={form}>
      <Fields autoFocus />
    </FormDrawer>
  )
}

/** What a custom activity is called and where palettes show it. */
export function ActivityDetails({ activity: { id } }: { activity: ActivityRow }) {
  const form = useResourceForm(activities, {
    id,
    fromRecord: (record) => Object.fromEntries(FIELDS.map((name) => [name, record[name]])),
    onDone: () => {},
  })
  return (
    <FormBody form={form} cancel={false}>
      <Fields />
    </FormBody>
  )
}
