import { Button } from '@mantine/core'
import { IconRoute } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useCan } from '../../lib/can.ts'
import { useT } from './text.ts'

/** Leads to the list of all workflows, whatever project they belong to. */
export function WorkflowsLink() {
  const t = useT()
  const may = useCan()('VIEW', 'WORKFLOW')
  if (!may) return null
  return (
    <Button
      component={Link}
      to="/cms/workflow/list"
      variant="default"
      leftSection={<IconRoute size={16} aria-hidden />}
    >
      {t('allWorkflows')}
    </Button>
  )
}
