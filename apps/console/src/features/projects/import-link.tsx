import { Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { Link } from 'react-router'
import { projectTransfer } from '@weft/contract/projects/transfer-api'
import { useMayCall } from '../../kit/actions/use-may-call.ts'
import { useT } from './text.ts'

/** Leads to the import of a project's file; shown to those who may. */
export function ImportLink() {
  const t = useT()
  const may = useMayCall()
  if (!may(projectTransfer.import)) return null
  return (
    <Button
      component={Link}
      to="import"
      variant="default"
      leftSection={<IconFileImport size={16} aria-hidden />}
    >
      {t('transfer.importNow')}
    </Button>
  )
}
