import { Button, Loader } from '@mantine/core'
import { useEffect } from 'react'
import { imports } from '@weft/contract/imports/api'
import { isOutOfReach } from '../../lib/failure.ts'
import { useFormats } from '../../lib/formats.ts'
import { invalidateFeatures, useRead } from '../../lib/query.ts'
import { toast } from '../toast/toast.ts'
import { keepRunningImport } from './running.ts'
import { useImportText } from './text.ts'

const POLL_MS = 1000

/** How far the import in the background is; opens it, and tells when it has ended. */
export default function RunningImport(props: {
  id: string
  feature: string
  onOpen: () => void
  onEnd: () => void
}) {
  const t = useImportText()
  const formats = useFormats()
  const { id, feature, onEnd } = props
  const { data, error } = useRead(imports.get, { id }, { every: POLL_MS })
  const lost = isOutOfReach(error)
  useEffect(() => {
    if (!lost && (!data || data.state === 'running')) return
    keepRunningImport(feature, null)
    if (data?.state === 'finished') {
      const { created, updated, skipped, refused } = data
      toast.success(t('result', { created, updated, skipped, refused }))
    }
    if (data?.state === 'failed') toast.error(t('states.failed'))
    void invalidateFeatures([feature])
    onEnd()
  }, [data, lost, feature, onEnd, t])
  const share = data && data.total > 0 ? data.processed / data.total : 0
  return (
    <Button variant="default" leftSection={<Loader size={14} aria-hidden />} onClick={props.onOpen}>
      {t('runningShare', { share: formats.percent(share) })}
    </Button>
  )
}
