import { IconQuestionMark } from '@tabler/icons-react'
import { definitionOf } from '@weft/workflow/catalogue/catalogue'
import { ACTIVITY_ICONS } from './activity-icons.ts'

interface Look {
  size: number
  className?: string | undefined
}

/** The icon of an activity type; a question mark for one that this console does not know. */
export function ActivityIcon({ type, ...look }: Look & { type: string }) {
  return <NamedIcon name={definitionOf(type)?.icon ?? ''} {...look} />
}

/** The icon that an activity names. */
export function NamedIcon({ name, size, className }: Look & { name: string }) {
  const Icon = ACTIVITY_ICONS[name] ?? IconQuestionMark
  return <Icon size={size} stroke={1.65} className={className} aria-hidden />
}
