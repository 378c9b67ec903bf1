import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { useState } from 'react'
import { callAny } from '../../lib/api.ts'
import { saveResponse } from '../../lib/download.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import type { ListHandle } from '../list/handle.ts'
import { listInput } from '../list/url-state.ts'
import { Popup } from '../popup/popup.tsx'
import { toast } from '../toast/toast.ts'
import { useMayCall } from './use-may-call.ts'

const loadMenu = () => import('./export-menu.tsx')

/** Saves what a list shows (all pages of it) as a file. */
export function ExportButton<T>(props: { for: Endpoint; of: ListHandle<T> }) {
  const t = useKitText()
  const may = useMayCall()
  const [busy, setBusy] = useState(false)
  if (!may(props.for)) return null
  const save = async (format: 'csv' | 'ndjson') => {
    setBusy(true)
    const {
      page: _page,
      perPage: _perPage,
      ...query
    } = listInput(props.of.state, props.of.options.fixed ?? {})
    try {
      const answer = await callAny(props.for, { ...query, format })
      if (answer instanceof Response) await saveResponse(answer, `${props.of.feature}.${format}`)
    } catch (error) {
      toast.failure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Popup
      load={loadMenu}
      button={(button) => (
        <Button
          {...button}
          variant="default"
          loading={busy}
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {t('actions.export')}
        </Button>
      )}
    >
      {(parts, { ExportMenu }) => <ExportMenu parts={parts} onChoose={(format) => void save(format)} />}
    </Popup>
  )
}
