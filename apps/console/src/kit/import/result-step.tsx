import { Button, Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { Import } from '@weft/contract/imports/schema'
import { useKitText } from '../../lib/i18n/texts.ts'
import { ProgressBar } from '../progress/progress.tsx'
import type { ImportHandle } from './use-import.ts'
import classes from './import.module.css'

/** How far it is, and what came of it. */
export function ResultStep(props: { work: ImportHandle; progress: Import; onClose: () => void }) {
  const t = useKitText()
  const { work, progress } = props
  const { state, processed, total, created, updated, skipped, bad } = progress
  const running = state === 'running'
  const title = state === 'checked' ? 'running' : state
  return (
    <>
      <output className={classes.resultTitle}>{t(`import.${title}`)}</output>
      <ProgressBar
        label={t(`import.${title}`)}
        value={running ? processed : total}
        max={total}
        {...(state === 'failed'
          ? { segments: [{ value: processed, tone: 'red', label: t('import.failed') }] }
          : {})}
      />
      {!running && <p className={classes.result}>{t('import.result', { created, updated, skipped })}</p>}
      <Group justify="flex-end" gap={8} mt={24}>
        {!running && bad > 0 && (
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => void work.saveRejected()}
          >
            {t('import.rejectedFile')}
          </Button>
        )}
        {progress.can.includes('undo') && (
          <Button variant="default" loading={work.busy} onClick={() => void work.undo()}>
            {t('import.undo')}
          </Button>
        )}
        <Button onClick={props.onClose}>{running ? t('import.background') : t('common.close')}</Button>
      </Group>
    </>
  )
}
