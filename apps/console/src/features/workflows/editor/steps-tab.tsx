import { Button, Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { lazy, memo, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import type { Activity } from '@weft/workflow/document'
import type { Place } from '@weft/workflow/operations'
import { Empty, LinesSkeleton } from '../../../kit/states/states.tsx'
import { store } from '../../../lib/emitter.ts'
import { useAfterFrame } from '../../../lib/use-after-frame.ts'
import { useLatest } from '../../../lib/use-latest.ts'
import { addAt } from '../model/commands.ts'
import { useT } from '../text.ts'
import { EditorContext, focusedStep, useEditor, useEditorState, type Editor } from './context.ts'
import classes from './editor.module.css'
import { Outline } from './outline/outline.tsx'
import { OutlineToolbar } from './outline/toolbar.tsx'
import { focusPanel } from './panel/focus.ts'
import { StepPanel } from './panel/step-panel.tsx'
import { ActivityPicker } from './picker.tsx'
import { Problems } from './problems.tsx'
import { StepMenuPlace, TestDock } from './test/test-parts.tsx'
import { useView } from './use-view.ts'

const Canvas = lazy(() => import('./canvas/canvas.tsx'))

/** The steps as an outline or as a drawing, beside it (on a small screen: over it) the form of the step that has the focus. */
export function StepsTab() {
  const { document, update, wanted } = useEditor()
  const wide = useMediaQuery('(width >= 62em)', true, { getInitialValueInEffect: false })
  const [view] = useView()
  /** Where a step is to be added; `below` stands for below the focus. */
  const [picking, setPicking] = useState<Place | 'below' | null>(null)
  const [drawer, setDrawer] = useState(false)
  const state = useEditorState()
  const latest = useLatest(state)
  const step = focusedStep(state)
  const addBelow = useCallback(() => setPicking('below'), [])
  const openPanel = useCallback(() => {
    if (wide) focusPanel(() => latest.current.focus)
    else setDrawer(true)
  }, [wide, latest])
  // A line of the problem list leads into the form.
  const [seen, setSeen] = useState(wanted)
  if (wanted !== seen) {
    setSeen(wanted)
    if (wanted && !wide) setDrawer(true)
  }
  const pick = (type: string) => {
    setPicking(null)
    update((now) => addAt(now, type, Date.now(), picking === 'below' ? undefined : (picking ?? undefined)))
    // On to what the new step needs; on a small screen its form would hide where it was put.
    if (wide) focusPanel(() => latest.current.focus)
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
              {view === 'canvas' ? (
                <Suspense fallback={<LinesSkeleton lines={8} />}>
                  <Canvas openPanel={openPanel} addBelow={addBelow} addAtPlace={setPicking} />
                </Suspense>
              ) : (
                <Outline openPanel={openPanel} addBelow={addBelow} openOnPress={!wide} />
              )}
            </div>
            <TestDock wide={wide} />
          </div>
          {wide && (
            <aside className={classes.side}>
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
      <StepMenuPlace />
      <ActivityPicker opened={picking !== null} close={() => setPicking(null)} pick={pick} />
    </>
  )
}

function SidePanel() {
  const t = useT()
  const state = useEditorState()
  const editor = useEditor()
  // A form is much to draw; while the arrows are held down, or steps are moved about, the outline goes ahead and the form
  // follows. What is typed in it, an edit with a group, must not: a field that lags behind its own letters loses them.
  const [{ focus, size, editor: followed }, catchUp] = useAfterFrame(
    useMemo(
      () => ({ focus: state.focus, size: state.selected.size, editor }),
      [state.focus, state.selected.size, editor],
    ),
    { focus: null, size: 0, editor },
  )
  // Nor may it where the step itself has changed: what is typed next would write its old fields back.
  const step = activityOf(editor, focus)
  const shown = state.history.group === null && activityOf(followed, focus) === step ? followed : editor
  const source = useMemo(() => store(shown), [shown])
  const late = focus !== state.focus
  useEffect(() => {
    if (!late) return undefined
    // Who goes on with Tab goes into the form of the step where they are.
    const onTab = (event: KeyboardEvent) => event.key === 'Tab' && catchUp()
    addEventListener('keydown', onTab, { capture: true })
    return () => removeEventListener('keydown', onTab, { capture: true })
  }, [late, catchUp])
  if (size > 1) return <p className={classes.hint}>{t('panel.several', { count: size })}</p>
  if (!step && late) return null
  if (!step) return <p className={classes.hint}>{t('panel.nothing')}</p>
  return (
    <EditorContext value={source}>
      {/* What is pressed or typed by then is meant for the next step, not for this one. */}
      <div inert={late}>
        <PanelOf key={step.id} step={step} />
      </div>
    </EditorContext>
  )
}

const activityOf = ({ document }: Editor, focus: string | null) =>
  document.activities.find(({ id }) => id === focus)

/** Drawn anew only for another step or another document, not for each move of the focus. */
const PanelOf = memo(function PanelOf({ step }: { step: Activity }) {
  return <StepPanel step={step} />
})

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
