import { Button } from '@mantine/core'
import { editorBrowsers } from '@weft/contract/editor-browsers/api'
import type { AttendedRun } from '@weft/contract/attended-runs/schema'
import { useChange } from '../../../../kit/actions/use-change.ts'
import { Empty } from '../../../../kit/states/states.tsx'
import { useT } from '../../../live-browser/text.ts'

/** A browser that is open since before: the way back to it, or, where that right is gone, only its end. */
export function Remains({ run, goOn }: { run: AttendedRun; goOn: () => void }) {
  const t = useT()
  const finish = useChange(editorBrowsers.finish)
  const mayLook = run.can.includes('look')
  return (
    <Empty
      title={t('remains.title')}
      text={mayLook ? t('remains.text', { client: run.clientName }) : t('remains.lost')}
      action={
        mayLook ? (
          <Button onClick={goOn}>{t('remains.goOn')}</Button>
        ) : (
          <Button loading={finish.isPending} onClick={() => finish.mutate({ id: run.id, save: false })}>
            {t('remains.close')}
          </Button>
        )
      }
    />
  )
}
