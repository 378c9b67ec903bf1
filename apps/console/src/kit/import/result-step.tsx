import { Button, Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { Import } from '@weft/contract/imports/schema'
import { useKitText } from '../../lib/i18n/texts.ts'
import { useImportText } from './text.ts'
import { ProgressBar } from '../progress/progress.tsx'
import type { ImportHandle } from './use-import.ts'
import classes from './import.module.css'

/** How far it is, and what came of it. */
export function ResultStep(props: { work: ImportHandle; progress: Import; onClose: () => void }) {
  const t = useImportText()
  const kit = useKitText()
  const { work, progress } = props
  const { state, processed, total, created, updated, skipped, refused } = progress
  const running = state === 'running'
  const title = state === 'checked' ? 'running' : state
  return (
    <>
      <output className={classes.resultTitle}>{t(`states.${title}`)}</output>
      <ProgressBar
        label={t(`states.${title}`)}
        value={running ? processed : total}
        max={total}
        {...(state === 'failed'
          ? { segments: [{ value: processed, tone: 'red', label: t('states.failed') }] }
          : {})}
      />
      {!running && <p className={classes.result}>{t('result', { created, updated, skipped, refused })}</p>}
      <Group justify="flex-end" gap={8} mt={24}>
        {progress.can.includes('rejected') && (
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => void work.saveRejected()}
          >
            {t('rejectedFile')}
          </Button>
        )}
        {!running && (
          <Button variant="subtle" onClick={work.back}>
            {t('another')}
          </Button>
        )}
        {progress.can.includes('undo') && (
          <Button variant="default" loading={work.busy} onClick={() => void work.undo()}>
            {t('undo')}
          </Button>
        )}
        <Button onClick={props.onClose}>{running ? t('background') : kit('common.close')}</Button>
      </Group>
    </>
  )
}
