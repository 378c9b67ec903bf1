import { Button, Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import { Empty } from '../../../kit/states/states.tsx'
import { addAt } from '../model/commands.ts'
import { useT } from '../text.ts'
import { focusedStep, useEditor } from './context.ts'
import classes from './editor.module.css'
import { Outline } from './outline/outline.tsx'
import { OutlineToolbar } from './outline/toolbar.tsx'
import { STEP_FORM } from './panel/step-form.tsx'
import { StepPanel } from './panel/step-panel.tsx'
import { ActivityPicker } from './picker.tsx'
import { Problems } from './problems.tsx'

/** The steps: the outline, beside it (on a small screen: over it) the form of the step that has the focus. */
export function StepsTab() {
  const editor = useEditor()
  const { document, update, wanted } = editor
  const wide = useMediaQuery('(width >= 62em)', true, { getInitialValueInEffect: false })
  const [picking, setPicking] = useState(false)
  const [drawer, setDrawer] = useState(false)
  const step = focusedStep(editor)
  const addBelow = useCallback(() => setPicking(true), [])
  const openPanel = useCallback(() => {
    if (wide) focusPanel()
    else setDrawer(true)
  }, [wide])
  // A line of the problem list leads into the form.
  const [seen, setSeen] = useState(wanted)
  if (wanted !== seen) {
    setSeen(wanted)
    if (wanted && !wide) setDrawer(true)
  }
  const pick = (type: string) => {
    setPicking(false)
    update((now) => addAt(now, type, Date.now()))
    // On to what the new step needs; on a small screen its form would hide where it was put.
    if (wide) requestAnimationFrame(focusPanel)
  }
  return (
    <>
      {document.activities.length === 0 ? (
        <NoSteps add={addBelow} />
      ) : (
        <div className={classes.columns}>
          <div className={classes.main}>
            <Problems />
            <div className={classes.frame}>
              <OutlineToolbar addBelow={addBelow} />
              <Outline openPanel={openPanel} addBelow={addBelow} openOnPress={!wide} />
            </div>
          </div>
          {wide && (
            <aside className={classes.side} data-step-panel>
              <SidePanel />
            </aside>
          )}
        </div>
      )}
      {!wide && (
        <Drawer.Root
          opened={drawer && step !== undefined}
          onClose={() => setDrawer(false)}
          position="right"
          size={460}
        >
          <Drawer.Overlay />
          <Drawer.Content>
            <Drawer.Body p={16}>
              {step && <StepPanel key={step.id} step={step} close={() => setDrawer(false)} />}
            </Drawer.Body>
          </Drawer.Content>
        </Drawer.Root>
      )}
      <ActivityPicker opened={picking} close={() => setPicking(false)} pick={pick} />
    </>
  )
}

function SidePanel() {
  const t = useT()
  const editor = useEditor()
  const step = focusedStep(editor)
  const { size } = editor.state.selected
  if (size > 1) return <p className={classes.hint}>{t('panel.several', { count: size })}</p>
  if (!step) return <p className={classes.hint}>{t('panel.nothing')}</p>
  return <StepPanel key={step.id} step={step} />
}

function NoSteps({ add }: { add: () => void }) {
  const t = useT()
  const { readOnly } = useEditor()
  return (
    <Empty
      title={t('outline.noneTitle')}
      text={t('outline.noneText')}
      action={
        !readOnly && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
            {t('outline.addFirst')}
          </Button>
        )
      }
    />
  )
}

/** Puts the keyboard's focus on the first field of the step's form, or on its name where it has no fields. */
function focusPanel(): void {
  const panel = document.querySelector('[data-step-panel]')
  const form = `[id^="${STEP_FORM}-"]`
  const wishes = [`input${form}, textarea${form}, ${form} input, ${form} button`, 'input']
  const control = wishes.flatMap((wish) => panel?.querySelector<HTMLElement>(wish) ?? [])[0]
  control?.focus()
}
