import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { identifierSchema } from '@weft/workflow/document'
import { useT } from '../../text.ts'

/** The name of an input or a variable. What is no name yet stays in the field and is not put into the document. */
export function NameField({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const t = useT()
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typed ?? value
  const wrong = !identifierSchema.safeParse(shown).success
  return (
    <TextInput
      label={t('data.name')}
      value={shown}
      maxLength={64}
      dir="ltr"
      error={wrong ? t('data.nameInvalid') : undefined}
      onChange={(event) => {
        const next = event.currentTarget.value
        setTyped(next)
        if (identifierSchema.safeParse(next).success) onChange(next)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
