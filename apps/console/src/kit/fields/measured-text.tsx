import { Textarea, type TextareaProps } from '@mantine/core'

/** A field as high as its text, by measuring it: for browsers that do not do that themselves. */
export default function MeasuredText(props: TextareaProps) {
  return <Textarea {...props} autosize />
}
