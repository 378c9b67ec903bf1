import { Button } from '@mantine/core'
import { IconDownload, IconFile, IconPhoto, IconTimeline } from '@tabler/icons-react'
import { useState } from 'react'
import { runs } from '@weft/contract/runs/api'
import type { RunDetail, RunFile } from '@weft/contract/runs/schema'
import { Empty } from '../../../kit/states/states.tsx'
import { toast } from '../../../kit/toast/toast.ts'
import { Bytes, CopyField, Time } from '../../../kit/values/values.tsx'
import { call } from '../../../lib/api.ts'
import { saveResponse } from '../../../lib/download.ts'
import { useT } from '../text.ts'
import classes from './files.module.css'

const ICONS = { screenshot: IconPhoto, trace: IconTimeline, download: IconFile } as const

/** Everything a run left behind: its trace, what it downloaded, its pictures. */
export function RunFiles({ run }: { run: RunDetail }) {
  const t = useT()
  if (run.files.length === 0) return <Empty title={t('files.empty')} text={t('files.emptyText')} />
  const order = ['trace', 'download', 'screenshot'] as const
  return order.flatMap((kind) =>
    run.files.filter((file) => file.kind === kind).map((file) => <FileRow key={file.id} file={file} />),
  )
}

function FileRow({ file }: { file: RunFile }) {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const Icon = ICONS[file.kind]
  const save = async () => {
    setBusy(true)
    try {
      await saveResponse(await call(runs.file, { id: file.id }), file.name)
    } catch (error) {
      toast.failure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={classes.file}>
      <span className={classes.fileName}>
        <Icon size={18} aria-hidden />
        <bdi className="ltr">{file.name}</bdi>
      </span>
      <span>{t(`files.kinds.${file.kind}`)}</span>
      <Bytes n={file.size} />
      <Time at={file.at} />
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconDownload size={15} aria-hidden />}
        aria-label={t('files.saveNamed', { name: file.name })}
        loading={busy}
        onClick={() => void save()}
      >
        {t('files.save')}
      </Button>
      {file.kind === 'trace' && (
        <div className={classes.hint}>
          {t('files.traceHelp')}
          <CopyField value={`npx playwright show-trace ${file.name}`} />
        </div>
      )}
    </div>
  )
}
