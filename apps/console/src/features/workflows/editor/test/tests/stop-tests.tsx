import { Button } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'
import { toast } from '../../../../../kit/toast/toast.ts'
import { useT } from '../../../text.ts'
import { useTestDesk } from '../test-desk.ts'

/** Ends the test that runs and takes back those that wait. */
export function StopTests({ stopping, className }: { stopping: boolean; className?: string | undefined }) {
  const t = useT()
  const desk = useTestDesk()
  return (
    <Button
      className={className ?? ''}
      size="compact-sm"
      color="red"
      variant="light"
      disabled={stopping}
      leftSection={<IconPlayerStop size={15} aria-hidden />}
      onClick={() => desk.queue.stop().catch(toast.failure)}
    >
      {t('tests.stopAll')}
    </Button>
  )
}
