import { Modal } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { LinesSkeleton } from '../../../../kit/states/states.tsx'
import { text } from '../../../../lib/i18n/texts.ts'
import { useT } from '../../text.ts'
import { useEditor } from '../context.ts'

const PublishForm = lazy(() => import('./publish-form.tsx'))

/** Makes a release of the draft: what is wrong with it, what changed, and what others shall know. */
export function PublishDialog({ opened, close }: { opened: boolean; close: () => void }) {
  const t = useT()
  const { workflow } = useEditor()
  const next = (workflow.publishedRelease ?? 0) + 1
  return (
    <Modal
      closeButtonProps={{ 'aria-label': text('kit:common.close') }}
      opened={opened}
      onClose={close}
      size={720}
      title={t('publish.title', { number: next })}
    >
      {opened && (
        <Suspense fallback={<LinesSkeleton lines={6} />}>
          <PublishForm close={close} />
        </Suspense>
      )}
    </Modal>
  )
}
