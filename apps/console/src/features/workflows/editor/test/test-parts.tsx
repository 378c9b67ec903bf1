import { Button } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { useT } from '../../text.ts'
import { useTestDesk, useValueOf } from './test-desk.ts'
import { usePinMarks } from './use-pins.ts'

const TestPanel = lazy(() => import('./test-panel.tsx'))
const StepMenu = lazy(() => import('./step-menu.tsx'))

/** Opens and closes the test panel, which stands with the steps. */
export function TestButton() {
  const t = useT()
  const desk = useTestDesk()
  const opened = useValueOf(desk.opened)
  const [search, setSearch] = useSearchParams()
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
