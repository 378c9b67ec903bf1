import type { Endpoint } from '@weft/contract/core/endpoint'
import { useKitText } from '../../lib/i18n/texts.ts'
import { useField } from '../form/context.ts'
import { textsIn } from './choice.tsx'
import { FieldFrame, controlOf, type FieldProps } from './frame.tsx'
import { TagsBox } from './tags-box.tsx'

/** Words of one's own, such as tags. Pasting a list parts it. `from` offers those that there are already. */
export function TagsField(props: FieldProps & { from?: Endpoint }) {
  const t = useKitText()
  const field = useField(props.name)
  const help = props.help ?? field.help ?? t('form.tagsHelp')
  return (
    <FieldFrame name={props.name} label={props.label} help={help}>
      <TagsBox
        {...controlOf(field, props, help)}
        value={textsIn(field.value)}
        onChange={field.set}
        from={props.from}
        aria-label={props.label ?? field.label}
        clearable
        clearButtonProps={{ 'aria-label': t('common.clear') }}
        {...(props.ltr ? { dir: 'ltr' } : {})}
      />
    </FieldFrame>
  )
}
