import { useMemo, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { z } from 'zod'
import { activities } from '@weft/contract/activities/api'
import { ACTIVITY_CATEGORIES, type ActivityRow } from '@weft/contract/activities/schema'
import { bodyOf } from '@weft/workflow/catalogue/body'
import type { WorkflowDocument } from '@weft/workflow/document'
import { readFragment } from '@weft/workflow/operations'
import { encodeDocument } from '@weft/workflow/state-codec'
import { GrowingText } from '../../../kit/fields/growing-text.tsx'
import { SelectField } from '../../../kit/fields/choice.tsx'
import { TextField, TextareaField } from '../../../kit/fields/text.tsx'
import { FormBody, FormDrawer } from '../../../kit/form/form.tsx'
import { useResourceForm } from '../../../kit/form/use-resource-form.ts'
import { workflowPath } from '../../workflows/actions.ts'
import { useT } from '../text.ts'
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

/** What the editor of a workflow brings along: its chosen steps, and the way back. */
const broughtSteps = z.object({ steps: z.string(), back: z.string().startsWith('/cms/') })

/** Makes a custom activity, perhaps of steps that were copied from a workflow, and goes to where its steps are edited. */
export function NewActivity() {
  const navigate = useNavigate()
  const brought = broughtSteps.safeParse(useLocation().state).data
  const [copied, setCopied] = useState(brought?.steps ?? '')
  const body = useMemo(() => {
    const fragment = readFragment(copied)
    return fragment ? bodyOf(fragment) : null
  }, [copied])
  const form = useResourceForm(activities, {
    id: null,
    initial: { category: 'page', icon: 'IconPuzzle' },
    closeTo: brought?.back ?? '/cms/config/activity',
    toInput: (values) => (body ? { ...values, draft: encodeDocument(body) } : values),
    onDone: ({ id }) => void navigate(workflowPath(String(id))),
  })
  return (
    <FormDrawer form={form}>
      <Fields autoFocus />
      <CopiedSteps copied={copied} setCopied={setCopied} body={body} />
    </FormDrawer>
  )
}

/** Takes steps as the editor copies them, and says what they would make. */
function CopiedSteps(props: {
  copied: string
  setCopied: (text: string) => void
  body: WorkflowDocument | null
}) {
  const t = useT()
  const { copied, setCopied, body } = props
  const wrong = copied.trim() !== '' && body === null
  const names = body?.inputs.map(({ name }) => name).join(', ')
  return (
    <GrowingText
      label={t('custom.steps')}
      description={
        body
          ? [
              t('custom.stepsFound', { count: body.activities.length }),
              names ? t('custom.parametersFound', { list: names }) : '',
            ].join(' ')
          : t('custom.stepsHelp')
      }
      value={copied}
      minRows={3}
      maxRows={3}
      error={wrong ? t('custom.noSteps') : undefined}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      onChange={(event) => setCopied(event.currentTarget.value)}
    />
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
