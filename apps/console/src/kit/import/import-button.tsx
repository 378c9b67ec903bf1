import { Button, Loader } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { Suspense, lazy, useState } from 'react'
import { useKitText } from '../../lib/i18n/texts.ts'
import { featureOf } from '../../lib/query.ts'
import { useMayCall } from '../actions/use-may-call.ts'
import { runningImport } from './running.ts'

const loadWizard = () => import('./import-wizard.tsx')
const ImportWizard = lazy(loadWizard)
const RunningImport = lazy(() => import('./running-import.tsx'))

/**
 * Opens the import wizard; shown to those who may import. One that goes on in the background, also from before a reload,
 * is shown with how far it is. `lines` says that plain lines are understood too.
 */
export function ImportButton({ for: endpoint, lines }: { for: Endpoint; lines?: boolean }) {
  const t = useKitText()
  const may = useMayCall()
  const [open, setOpen] = useState(false)
  const [coming, setComing] = useState(false)
  const feature = featureOf(endpoint.name)
  const [running, setRunning] = useState(() => runningImport(feature))
  if (!may(endpoint)) return null
  const show = () => {
    setComing(false)
    setOpen(true)
  }
  const start = () => {
    setComing(true)
    // Where it cannot be loaded, whoever shows it says so.
    void loadWizard().then(show, show)
  }
  const close = () => {
    setOpen(false)
    setRunning(runningImport(feature))
  }
  const button = (
    <Button
      variant="default"
      // It keeps the focus, which a disabled one would lose.
      aria-busy={coming}
      leftSection={coming ? <Loader size={14} aria-hidden /> : <IconUpload size={16} aria-hidden />}
      onClick={start}
    >
      {t('actions.import')}
    </Button>
  )
  return (
    <>
      {running && !open ? (
        <Suspense fallback={button}>
          <RunningImport id={running} feature={feature} onOpen={start} onEnd={() => setRunning(null)} />
        </Suspense>
      ) : (
        button
      )}
      <Suspense fallback={null}>
        {open && <ImportWizard endpoint={endpoint} lines={lines === true} onClose={close} />}
      </Suspense>
    </>
  )
}
