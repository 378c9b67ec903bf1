import { useState } from 'react'
import { Loader } from '@mantine/core'
import { IconBraces, IconFileSpreadsheet, IconTable } from '@tabler/icons-react'
import { exportFormats, type ExportFormat } from '@weft/contract/core/resource'
import { callAny } from '../../lib/api.ts'
import { saveResponse } from '../../lib/download.ts'
import { useFormats } from '../../lib/formats.ts'
import { toast } from '../toast/toast.ts'
import { PopupWindow } from '../popup/window.tsx'
import type { PopupParts } from '../popup/popup.tsx'
import { useListText } from './text.ts'
import { listInput } from './url-state.ts'
import type { ListHandle } from './handle.ts'
import classes from './panels.module.css'

const ICONS = { csv: IconTable, xlsx: IconFileSpreadsheet, ndjson: IconBraces }

/** Saves all that matches the list's search and filters as a file. */
export function ExportWindow({ list, parts }: { list: ListHandle; parts: PopupParts }) {
  return (
    <PopupWindow parts={parts} position="bottom-end" width={280}>
      <Formats list={list} close={parts.onClose} />
    </PopupWindow>
  )
}

function Formats({ list, close }: { list: ListHandle; close: () => void }) {
  const t = useListText()
  const formats = useFormats()
  const [busy, setBusy] = useState<ExportFormat | null>(null)
  const endpoint = list.options.resource?.export
  if (!endpoint) return null
  const save = async (format: ExportFormat) => {
    setBusy(format)
    const { page: _page, perPage: _perPage, ...query } = listInput(list.state, list.options.fixed ?? {})
    try {
      const answer = await callAny(endpoint, { ...query, format })
      if (answer instanceof Response) await saveResponse(answer, `${list.feature}.${format}`)
      close()
    } catch (error) {
      toast.failure(error)
    } finally {
      setBusy(null)
    }
  }
  return (
    <div>
      <p className={classes.hint}>
        {list.count && !list.count.estimated
          ? t('export.count', { n: formats.number(list.count.total), count: list.count.total })
          : t('export.all')}
      </p>
      {exportFormats.map((format) => {
        const Icon = ICONS[format]
        return (
          <button
            key={format}
            type="button"
            className={classes.item}
            disabled={busy !== null}
            onClick={() => void save(format)}
          >
            {busy === format ? <Loader size={16} /> : <Icon size={16} stroke={1.7} aria-hidden />}
            <span className={classes.itemText}>
              <b>{format.toUpperCase()}</b>
              <small>{t(`export.${format}`)}</small>
            </span>
          </button>
        )
      })}
    </div>
  )
}
