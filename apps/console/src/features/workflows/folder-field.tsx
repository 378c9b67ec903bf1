import { Autocomplete } from '@mantine/core'
import { useState } from 'react'
import { workflows } from '@weft/contract/workflows/api'
import { describedBy, FieldFrame } from '../../kit/fields/frame.tsx'
import { useField } from '../../kit/form/context.ts'
import { useRead } from '../../lib/query.ts'
import { useT } from './text.ts'

const MAX_CHARS = 200

function useFolders(): string[] {
  const { data } = useRead(workflows.folders, {})
  return (data ?? []).map(({ folder }) => folder)
}

/** The folder of a workflow in its form: one that is there, or a new one. */
export function FolderField() {
  const field = useField('folder')
  const folders = useFolders()
  return (
    <FieldFrame name="folder">
      <Autocomplete
        id={field.id}
        data={folders}
        value={typeof field.value === 'string' ? field.value : ''}
        onChange={field.set}
        onBlur={field.leave}
        error={Boolean(field.error)}
        disabled={field.disabled}
        maxLength={MAX_CHARS}
        aria-label={field.label}
        {...describedBy(field, field.help)}
      />
    </FieldFrame>
  )
}

/** The same by itself, in a question. */
export function FolderInput(props: { initial: string; onChange: (folder: string) => void }) {
  const t = useT()
  const [folder, setFolder] = useState(props.initial)
  return (
    <Autocomplete
      mt="md"
      label={t('fields.folder')}
      data={useFolders()}
      value={folder}
      onChange={(next) => {
        setFolder(next)
        props.onChange(next)
      }}
      maxLength={MAX_CHARS}
      data-autofocus
      // The list lies over the question.
      comboboxProps={{ zIndex: 400 }}
    />
  )
}
