import { Button } from '@mantine/core'
import { IconPlayerRecord } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useMemo, type ReactNode } from 'react'
import type { Activity } from '@weft/workflow/document'
import { PickTargets, type TargetPicker } from '../../../../kit/schema-form/pick-context.ts'
import { useT } from '../../text.ts'
import { useEditor } from '../context.ts'
import { useValueOf } from '../../../../lib/use-value-of.ts'
import { browsing } from './browsing.ts'

const loadPick = () => import('./pick-dialog.tsx')
const loadRecord = () => import('./record-dialog.tsx')
const PickDialog = lazy(loadPick)
const RecordDialog = lazy(loadRecord)

/** Opens a browser in which what is done becomes steps. */
export function RecordButton() {
  const t = useT()
  const { readOnly } = useEditor()
  if (readOnly) return null
  return (
    <Button
      variant="default"
      leftSection={<IconPlayerRecord size={16} aria-hidden />}
      onPointerEnter={() => void loadRecord()}
      onClick={() => browsing.set({ purpose: 'record' })}
    >
      {t('browse.record')}
    </Button>
  )
}

/** These act on one element: of a button with an icon in it, the button is meant. */
const ACTING: ReadonlySet<string> = new Set([
  'click',
  'fill',
  'select',
  'press-key',
  'upload-file',
  'download',
])

/** Gives the fields of a step that name elements a way to point at one. */
export function Pickable({ step, children }: { step: Activity; children: ReactNode }) {
  const t = useT()
  const { id, type } = step
  const picker = useMemo(
    (): TargetPicker => ({
      label: t('browse.pick'),
      prepare: () => void loadPick(),
      pick: (use) => browsing.set({ purpose: 'pick', stepId: id, pressable: ACTING.has(type), use }),
    }),
    [t, id, type],
  )
  return <PickTargets value={picker}>{children}</PickTargets>
}

/** The browser that is open from the editor, once one is wanted; nothing of it loads before. */
export function BrowsePlace() {
  const wanted = useValueOf(browsing)
  useEffect(() => () => browsing.set(null), [])
  if (!wanted) return null
  return (
    <Suspense>{wanted.purpose === 'record' ? <RecordDialog /> : <PickDialog wanted={wanted} />}</Suspense>
  )
}
