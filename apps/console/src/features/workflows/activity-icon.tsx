import { IconQuestionMark } from '@tabler/icons-react'
import { definitionOf } from '@weft/workflow/catalogue/catalogue'
import { ACTIVITY_ICONS } from './activity-icons.ts'

/** The icon of an activity type; a question mark for one that this console does not know. */
export function ActivityIcon(props: { type: string; size: number; className?: string | undefined }) {
  const name = definitionOf(props.type)?.icon ?? ''
  const Icon = ACTIVITY_ICONS[name] ?? IconQuestionMark
  return <Icon size={props.size} stroke={1.65} className={props.className} aria-hidden />
}
