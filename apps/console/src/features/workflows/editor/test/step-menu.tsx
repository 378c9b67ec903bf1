import { Menu } from '@mantine/core'
import {
  IconMessage2,
  IconPin,
  IconPinnedOff,
  IconPlayerPlay,
  IconPlayerTrackNext,
} from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useT as useTogetherText } from '../../../together/text.ts'
import { useTogether } from '../../../together/together.ts'
import { useT } from '../../text.ts'
import { useEditor } from '../context.ts'
import { useTestDesk, type OpenMenu } from './test-desk.ts'
import { useValueOf } from '../../../../lib/use-value-of.ts'
import { usePins } from './use-pins.ts'

/** What can be tried with one step; it opens where the pointer or the step is. */
export default function StepMenu() {
  const open = useValueOf(useTestDesk().menu)
  return open && <OpenedMenu key={`${open.stepId} ${open.x} ${open.y}`} at={open} />
}

function OpenedMenu({ at }: { at: OpenMenu }) {
  const t = useT()
  const say = useTogetherText()
  const together = useTogether()
  const desk = useTestDesk()
  const { readOnly, document: shown } = useEditor()
  const { pinned, canPin, pin, unpin } = usePins()
  // The keyboard goes back to where it was.
  const from = useRef(document.activeElement)
  useEffect(() => {
    const before = from.current
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  const { stepId, x, y } = at
  const step = shown.activities.find(({ id }) => id === stepId)
  if (!step) return null
  return (
    <Menu opened onClose={() => desk.menu.set(null)} position="bottom-start" returnFocus={false} width={230}>
      <Menu.Target>
        <span style={{ position: 'fixed', top: y, left: x, width: 1, height: 1 }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('test.menu')}>
        <Menu.Item
          leftSection={<IconPlayerPlay size={15} className="flip-rtl" aria-hidden />}
          disabled={readOnly || step.disabled === true}
          onClick={() => desk.run({ kind: 'step', activityId: stepId })}
        >
          {t('test.runStep')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconPlayerTrackNext size={15} className="flip-rtl" aria-hidden />}
          disabled={readOnly}
          onClick={() => desk.run({ kind: 'from', activityId: stepId })}
        >
          {t('test.runFrom')}
        </Menu.Item>
        <Menu.Divider />
        {pinned.has(stepId) ? (
          <Menu.Item
            leftSection={<IconPinnedOff size={15} aria-hidden />}
            disabled={readOnly}
            onClick={() => unpin(stepId)}
          >
            {t('test.unpin')}
          </Menu.Item>
        ) : (
          <Menu.Item
            leftSection={<IconPin size={15} aria-hidden />}
            disabled={readOnly || !canPin(stepId)}
            onClick={() => pin(stepId)}
          >
            {t('test.pin')}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconMessage2 size={15} aria-hidden />}
          onClick={() => together.wanted.emit({ activityId: stepId, write: true })}
        >
          {say('comment')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
