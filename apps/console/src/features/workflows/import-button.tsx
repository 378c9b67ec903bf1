import { Button } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { workflows } from '@weft/contract/workflows/api'
import { useMayCall } from '../../kit/actions/use-may-call.ts'
import { toast } from '../../kit/toast/toast.ts'
import { call } from '../../lib/api.ts'
import { invalidateFeatures } from '../../lib/query.ts'
import { workflowPath } from './actions.ts'
import { useT } from './text.ts'

/** Makes a workflow of a file and goes to its editor. */
export function ImportButton() {
  const t = useT()
  const navigate = useNavigate()
  const may = useMayCall()
  const [busy, setBusy] = useState(false)
  if (!may(workflows.import)) return null
  const take = async (chosen: File) => {
    const { readWorkflowFile } = await import('./read-file.ts')
    const file = await readWorkflowFile(chosen)
    if (!file) {
      toast.error(t('import.noWorkflow'))
      return
    }
    const { workflowId, missing, leftOut } = await call(workflows.import, { file })
    if (missing.length + leftOut.length > 0)
      toast.warning(t('import.lacks', { missing: missing.length, leftOut: leftOut.length }))
    await invalidateFeatures(['workflows'])
    await navigate(workflowPath(workflowId))
  }
  const choose = () => {
    const input = document.createElement('input')
    input.type = 'file'
    input.accept = 'application/json,.json'
    input.addEventListener('change', () => {
      const [file] = input.files ?? []
      if (!file) return
      setBusy(true)
      void take(file)
        .catch(toast.failure)
        .finally(() => setBusy(false))
    })
    input.click()
  }
  return (
    <Button
      variant="default"
      leftSection={<IconUpload size={16} aria-hidden />}
      loading={busy}
      onClick={choose}
    >
      {t('import.button')}
    </Button>
  )
}
