import { ColorInput } from '@mantine/core'
import { projects } from '@weft/contract/projects/api'
import { FieldFrame } from '../../kit/fields/frame.tsx'
import { TextField, TextareaField } from '../../kit/fields/text.tsx'
import { useField } from '../../kit/form/context.ts'
import { FormBody, FormDrawer } from '../../kit/form/form.tsx'
import { useResourceForm } from '../../kit/form/use-resource-form.ts'
import classes from './projects.module.css'

const SWATCHES = ['#0db976', '#675dd8', '#2f78e0', '#d98a12', '#d93c45', '#8a94a3', '#0f9ba8', '#c2417c']

function ColourField() {
  const { value, set, id, leave, disabled } = useField('colour')
  return (
    <FieldFrame name="colour">
      <ColorInput
        id={id}
        value={typeof value === 'string' ? value : ''}
        onChange={set}
        onBlur={leave}
        disabled={disabled}
        format="hex"
        swatches={SWATCHES}
        swatchesPerRow={8}
        withEyeDropper={false}
        dir="ltr"
      />
    </FieldFrame>
  )
}

function Fields() {
  return (
    <>
      <TextField name="name" />
      <TextareaField name="description" />
      <ColourField />
    </>
  )
}

/** Creates a project, in a drawer. */
export function NewProject() {
  const form = useResourceForm(projects)
  return (
    <FormDrawer form={form}>
      <Fields />
    </FormDrawer>
  )
}

/** Changes a project, within its page. */
export function ProjectSettings({ id }: { id: string }) {
  const form = useResourceForm(projects, { id, onDone: () => {} })
  return (
    <div className={classes.narrow}>
      <FormBody form={form} cancel={false}>
        <Fields />
      </FormBody>
    </div>
  )
}
