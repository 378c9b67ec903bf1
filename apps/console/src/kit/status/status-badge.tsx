import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconLoader,
  IconUserQuestion,
} from '@tabler/icons-react'
import { optionLabel } from '../../lib/i18n/names.ts'
import { useLanguage } from '../../lib/i18n/texts.ts'
import { toneOf, type Tone, type Tones } from './tones.ts'
import classes from './status-badge.module.css'

const ICONS: Record<Tone, typeof IconCircleCheck> = {
  neutral: IconCircleDashed,
  blue: IconLoader,
  green: IconCircleCheck,
  amber: IconAlertTriangle,
  red: IconCircleX,
  violet: IconUserQuestion,
}

/** A status as a word with an icon in its tone; never the colour alone. */
export function StatusBadge(props: {
  value: string
  /** Where the words are: `<feature>:options.<field>.<value>`; without one the kit's own. */
  feature?: string
  field?: string
  text?: string
  tones?: Tones
  tone?: Tone
}) {
  useLanguage()
  const { value, feature = 'kit', field = 'status' } = props
  const tone = props.tone ?? toneOf(value, props.tones)
  const Icon = ICONS[tone]
  return (
    <span className={classes.badge} data-tone={tone} data-value={value}>
      <Icon size={14} stroke={2} aria-hidden />
      <span>{props.text ?? optionLabel(feature, field, value)}</span>
    </span>
  )
}
