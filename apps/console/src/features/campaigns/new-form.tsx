import { useNavigate } from 'react-router'
import { campaigns } from '@weft/contract/campaigns/api'
import { PER } from '@weft/contract/campaigns/schema'
import { projects } from '@weft/contract/projects/api'
import { workflows } from '@weft/contract/workflows/api'
import { SegmentField, SelectField } from '../../kit/fields/choice.tsx'
import { RecordSelect } from '../../kit/fields/record.tsx'
import { TextField } from '../../kit/fields/text.tsx'
import { useFieldValue, useFormScope } from '../../kit/form/context.ts'
import { FieldRow, FormPage } from '../../kit/form/form.tsx'
import { useResourceForm } from '../../kit/form/use-resource-form.ts'
import { CAMPAIGNS, editorPath } from './paths.ts'
import { useT } from './text.ts'

/** What a campaign begins with; everything else is chosen in the editor, to which this leads. */
export function NewCampaignForm() {
  const t = useT()
  const navigate = useNavigate()
  const form = useResourceForm(campaigns, {
    id: null,
    closeTo: CAMPAIGNS,
    onDone: (record) => {
      const { id } = record
      void navigate(typeof id === 'string' ? editorPath(id) : CAMPAIGNS)
    },
  })
  return (
    <FormPage form={form} back={CAMPAIGNS} submitLabel={t('new.submit')}>
      <TextField name="title" autoFocus />
      <WorkflowSelect />
      <FieldRow>
        <RecordSelect name="projectId" from={projects.list} get={projects.get} option={({ name }) => name} />
        <SelectField name="type" clearable={false} />
      </FieldRow>
      <SegmentField name="pairing.per" options={PER} field="per" />
    </FormPage>
  )
}

/** Chooses among the published workflows; the campaign goes to the workflow's project where it has none yet. */
export function WorkflowSelect({ disabled }: { disabled?: boolean }) {
  const t = useT()
  const { store } = useFormScope()
  const projectId = useFieldValue('projectId')
  return (
    <RecordSelect
      name="workflowId"
      from={workflows.list}
      get={workflows.get}
      filter={{ published: 'true' }}
      option={({ name }) => name}
      detail={({ publishedRelease, projectName }) =>
        [publishedRelease && t('release.number', { number: publishedRelease }), projectName]
          .filter(Boolean)
          .join(' · ')
      }
      disabled={disabled ?? false}
      onPick={(row) => {
        if (row?.projectId && !projectId) store.set('projectId', row.projectId)
      }}
    />
  )
}
