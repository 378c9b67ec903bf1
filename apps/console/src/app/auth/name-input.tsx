import { TextInput, type TextInputProps } from '@mantine/core'

/** The field for a user name or a code: as it is typed, left to right, corrected by nothing. */
export function NameInput(props: TextInputProps) {
  return (
    <TextInput autoCapitalize="none" spellCheck={false} dir="ltr" required withAsterisk={false} {...props} />
  )
}
