import { IconQuestionMark } from '@tabler/icons-react'
import { ACTIVITY_ICONS } from '../workflows/activity-icons.ts'

/** The icon that an activity names; a question mark for one that this console does not have. */
export function RowIcon({ icon, size = 18 }: { icon: string; size?: number }) {
  const Icon = ACTIVITY_ICONS[icon] ?? IconQuestionMark
  return <Icon size={size} stroke={1.65} aria-hidden />
}
