import { useCallback } from 'react'
import type { WorkflowDocument } from '@weft/workflow/document'
import { outlineText } from '../../model/outline-text.ts'
import { useT } from '../../text.ts'
import { useCatalogueText } from '../catalogue-text.ts'

/** Writes a document as lines in the language shown now. */
export function useOutlineText(): (document: WorkflowDocument) => string[] {
  const t = useT()
  const catalogue = useCatalogueText()
  return useCallback(
    (document) =>
      outlineText(document, catalogue, {
        input: t('text.input'),
        variable: t('text.variable'),
        setting: (name) =>
          name === 'maxAttempts'
            ? t('settings.maxAttempts')
            : name === 'traceOn'
              ? t('settings.traceOn')
              : t('settings.timeLimitSeconds'),
        disabled: t('outline.disabled'),
        timeLimit: t('panel.timeLimit'),
        retry: t('panel.attempts'),
      }),
    [t, catalogue],
  )
}
