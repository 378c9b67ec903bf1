import { lazy, Suspense, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { projects } from '@weft/contract/projects/api'
import { workflows } from '@weft/contract/workflows/api'
import type { Workflow } from '@weft/contract/workflows/schema'
import { RecordSelect } from '../../kit/fields/record.tsx'
import { TagsField } from '../../kit/fields/tags.tsx'
import { TextField, TextareaField } from '../../kit/fields/text.tsx'
import { useFieldValue } from '../../kit/form/context.ts'
import { FormBody, FormDrawer } from '../../kit/form/form.tsx'
import { useResourceForm } from '../../kit/form/use-resource-form.ts'
import { Section } from '../../kit/page/page.tsx'
import { workflowPath } from './actions.ts'
import { FolderField } from './folder-field.tsx'
import { useT } from './text.ts'
import classes from './workflows.module.css'

const FIELDS = ['name', 'description', 'projectId', 'folder', 'tags', 'notes'] as const

const LacksThere = lazy(() => import('./lacks-there.tsx'))

function Fields({ autoFocus = false, lacks }: { autoFocus?: boolean; lacks?: ReactNode }) {
  return (
    <>
      <TextField name="name" autoFocus={autoFocus} />
      <RecordSelect name="projectId" from={projects.list} get={projects.get} option={({ name }) => name} />
      {lacks}
      <FolderField />
      <TextareaField name="description" />
      <TagsField name="tags" />
      <TextareaField name="notes" />
    </>
  )
}

/** Creates a workflow and goes to its editor. `closeTo` is where giving up leads. */
export function NewWorkflow({ projectId = null, closeTo }: { projectId?: string | null; closeTo?: string }) {
  const navigate = useNavigate()
  const form = useResourceForm(workflows, {
    id: null,
    initial: { projectId },
    onDone: ({ id }) => void navigate(workflowPath(String(id))),
    ...(closeTo ? { closeTo } : {}),
  })
  return (
    <FormDrawer form={form}>
      <Fields autoFocus />
    </FormDrawer>
  )
}

/** Changes what a workflow is called and where it belongs; its steps are edited apart from it. */
export function WorkflowDetails({ id, projectId }: Pick<Workflow, 'id' | 'projectId'>) {
  const t = useT()
  const form = useResourceForm(workflows, {
    id,
    fromRecord: (record) => Object.fromEntries(FIELDS.map((name) => [name, record[name]])),
    onDone: () => {},
  })
  return (
    <Section title={t('details.title')}>
      <div className={classes.narrow}>
        <FormBody form={form} cancel={false}>
          <Fields lacks={<LacksAfterMove id={id} from={projectId} />} />
        </FormBody>
      </div>
    </Section>
  )
}

/** Where another project is chosen: what the workflow would lack there. */
function LacksAfterMove({ id, from }: { id: string; from: string | null }) {
  const to = useFieldValue('projectId')
  if (typeof to !== 'string' || to === from) return null
  return (
    <Suspense>
      <LacksThere id={id} projectId={to} />
    </Suspense>
  )
}
