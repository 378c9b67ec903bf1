import { Button } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { useUnsaved } from '../../../../kit/form/use-unsaved.ts'
import { isChanged } from '../../model/tests/test-draft.ts'
import { useT } from '../../text.ts'
import { useTestDesk } from './test-desk.ts'
import { useValueOf } from '../../../../lib/use-value-of.ts'
import { usePinMarks } from './use-pins.ts'

const TestPanel = lazy(() => import('./test-panel.tsx'))
const StepMenu = lazy(() => import('./step-menu.tsx'))

/** Opens and closes the test panel, which stands with the steps. */
export function TestButton() {
  const t = useT()
  const desk = useTestDesk()
  const opened = useValueOf(desk.opened)
  const [search, setSearch] = useSearchParams()
  useUnsavedTest()
  return (
    <Button
      variant="default"
      leftSection={<IconFlask size={16} aria-hidden />}
      aria-expanded={opened}
      onClick={() => {
        if (search.has('tab')) setSearch(() => new URLSearchParams(), { replace: true })
        desk.opened.set(!opened || search.has('tab'))
      }}
    >
      {t('test.button')}
    </Button>
  )
}

/** Asks before the editor is left with a workflow test half written: its form may be shut, or another tab before it. */
function useUnsavedTest(): void {
  const draft = useValueOf(useTestDesk().draft)
  useUnsaved(draft !== null && isChanged(draft), { words: 'workflows:tests.leaveText', tabsKeep: true })
}

/** The panel, once it is wanted: nothing of it loads before. */
export function TestDock({ wide }: { wide: boolean }) {
  const desk = useTestDesk()
  const opened = useValueOf(desk.opened)
  usePinMarks()
  return (
    opened && (
      <Suspense>
        <TestPanel wide={wide} />
      </Suspense>
    )
  )
}

/** The menu of a step, once one is open. */
export function StepMenuPlace() {
  const menu = useValueOf(useTestDesk().menu)
  return (
    menu && (
      <Suspense>
        <StepMenu />
      </Suspense>
    )
  )
}
