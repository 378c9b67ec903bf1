import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useCallback, useDeferredValue, useMemo, useState, type KeyboardEvent } from 'react'
import { useCatalogueText } from '../../../lib/i18n/catalogue.ts'
import { focusRow, rowsOf } from '../model/editor-state.ts'
import { nextFound, stepsFound } from '../model/find.ts'
import { useT } from '../text.ts'
import { titleOf } from './catalogue-text.ts'
import { useEditor, useEditorState } from './context.ts'
import classes from './editor.module.css'

/** Looks for steps by what stands in them; Enter goes from one to the next, with Shift back. */
export function Find() {
  const t = useT()
  const catalogue = useCatalogueText()
  const state = useEditorState()
  const { update } = useEditor()
  const [typed, setTyped] = useState('')
  const wanted = useDeferredValue(typed)
  const rows = rowsOf(state)
  const find = useCallback(
    (words: string) => stepsFound(rows, words, ({ type }) => titleOf(type, catalogue)),
    [rows, catalogue],
  )
  const found = useMemo(() => find(wanted), [find, wanted])
  const at = state.focus === null ? -1 : found.indexOf(state.focus)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setTyped('')
    if (event.key !== 'Enter') return
    event.preventDefault()
    // Who is quicker than the search goes by what stands in the field.
    const next = nextFound(wanted === typed ? found : find(typed), state.focus, event.shiftKey ? -1 : 1)
    if (next !== undefined) update((now) => focusRow(now, next))
  }
  return (
    <span className={classes.find}>
      <TextInput
        size="xs"
        value={typed}
        placeholder={t('find.label')}
        aria-label={t('find.label')}
        leftSection={<IconSearch size={14} aria-hidden />}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span className={classes.found} aria-live="polite">
        {typed.trim() !== '' &&
          (found.length === 0
            ? t('find.nothing')
            : at === -1
              ? t('find.count', { count: found.length })
              : t('find.at', { at: at + 1, count: found.length }))}
      </span>
    </span>
  )
}
