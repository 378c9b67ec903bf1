import { NewWorkflow } from '../../../../features/workflows/form.tsx'

/** A new workflow, in a drawer over the list. */
export default function NewWorkflowPage() {
  return <NewWorkflow closeTo="/cms/workflow/list" />
}
