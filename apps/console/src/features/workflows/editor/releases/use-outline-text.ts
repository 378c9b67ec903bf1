import { useCallback } from 'react'
import { traceModes, type WorkflowDocument } from '@weft/workflow/document'
import { outlineText } from '../../model/outline-text.ts'
import { useT } from '../../text.ts'
import { useCatalogueText } from '../../../../lib/i18n/catalogue.ts'

/** Writes a document as lines in the language shown now. */
export function useOutlineText(): (document: WorkflowDocument) => string[] {
  const t = useT()
  const catalogue = useCatalogueText()
  return useCallback(
    (document) =>
      outlineText(document, catalogue, {
        input: t('text.input'),
        variable: t('text.variable'),
        setting: (name, value) => settingText(name, value, t),
        disabled: t('outline.disabled'),
        timeLimit: t('panel.timeLimit'),
        retry: t('panel.attempts'),
      }),
    [t, catalogue],
  )
}

/** A setting with its value. */
export function settingText(name: string, value: string | number, t: ReturnType<typeof useT>): string {
  if (name === 'maxAttempts') return `${t('settings.maxAttempts')}: ${value}`
  if (name === 'timeLimitSeconds') return `${t('settings.timeLimitSeconds')}: ${value}${t('seconds')}`
  const mode = traceModes.find((candidate) => candidate === value)
  return `${t('settings.traceOn')}: ${mode ? t(`settings.trace.${mode}`) : value}`
}
