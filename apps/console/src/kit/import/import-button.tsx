import { Button } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { Suspense, lazy, useState } from 'react'
import { useKitText } from '../../lib/i18n/texts.ts'
import { useMayCall } from '../actions/use-may-call.ts'

const ImportWizard = lazy(() => import('./import-wizard.tsx'))

/** Opens the import wizard; shown to those who may import. `lines` says that plain lines are understood too. */
export function ImportButton({ for: endpoint, lines }: { for: Endpoint; lines?: boolean }) {
  const t = useKitText()
  const may = useMayCall()
  const [open, setOpen] = useState(false)
  if (!may(endpoint)) return null
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconUpload size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('actions.import')}
      </Button>
      <Suspense fallback={null}>
        {open && <ImportWizard endpoint={endpoint} lines={lines === true} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}
