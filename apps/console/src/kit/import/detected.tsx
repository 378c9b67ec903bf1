import { NativeSelect } from '@mantine/core'
import {
  IMPORT_ENCODINGS,
  IMPORT_FORMATS,
  IMPORT_SEPARATORS,
  type ImportCheck,
} from '@weft/contract/imports/schema'
import { useImportText } from './text.ts'
import type { ImportHandle } from './use-import.ts'
import classes from './import.module.css'

/** How the rows were read, each part of which can be set otherwise. */
export function DetectedRow({ work, check }: { work: ImportHandle; check: ImportCheck }) {
  const t = useImportText()
  const { format, encoding, separator, sheet, sheets } = check.detected
  const common = { size: 'xs', disabled: work.busy } as const
  return (
    <fieldset className={classes.detected}>
      <legend>{t('detected')}</legend>
      <NativeSelect
        {...common}
        label={t('format')}
        value={format}
        data={IMPORT_FORMATS.filter((one) => one !== 'auto').map((one) => ({
          value: one,
          label: t(`formats.${one}`),
        }))}
        onChange={(event) => {
          const next = IMPORT_FORMATS.find((one) => one === event.currentTarget.value)
          if (next) void work.reread({ format: next, separator: undefined, sheet: undefined })
        }}
      />
      {encoding && (
        <NativeSelect
          {...common}
          label={t('encoding')}
          value={encoding}
          data={IMPORT_ENCODINGS.map((one) => ({ value: one, label: one.toUpperCase() }))}
          onChange={(event) => {
            const next = IMPORT_ENCODINGS.find((one) => one === event.currentTarget.value)
            if (next) void work.reread({ encoding: next })
          }}
        />
      )}
      {separator && (
        <NativeSelect
          {...common}
          label={t('separator')}
          value={separator}
          data={IMPORT_SEPARATORS.map((one) => ({ value: one, label: t(`separators.${NAMES[one]}`) }))}
          onChange={(event) => {
            const next = IMPORT_SEPARATORS.find((one) => one === event.currentTarget.value)
            if (next) void work.reread({ separator: next })
          }}
        />
      )}
      {sheet !== null && sheets.length > 1 && (
        <NativeSelect
          {...common}
          label={t('sheet')}
          value={sheet}
          data={sheets}
          onChange={(event) => void work.reread({ sheet: event.currentTarget.value })}
        />
      )}
    </fieldset>
  )
}

const NAMES = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as const
