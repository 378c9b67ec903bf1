import type { Person } from '@weft/contract/users/schema'
import { columnsOf } from '../../kit/list/columns.tsx'
import { TagList } from '../../kit/list/cells.tsx'
import { StatusBadge } from '../../kit/status/status-badge.tsx'
import { roleName } from './roles.ts'

const col = columnsOf<Person>()

/** What a person's status is called: who never chose a password is only invited. */
export function statusOf({ status, hasPassword }: Pick<Person, 'status' | 'hasPassword'>): string {
  return status === 'active' && !hasPassword ? 'invited' : status
}

/** Tones of a person's status. */
export const PERSON_TONES = { active: 'green', invited: 'neutral', suspended: 'red' } as const

/** A person's status as a badge. */
export function PersonBadge({ person }: { person: Pick<Person, 'status' | 'hasPassword'> }) {
  return <StatusBadge value={statusOf(person)} feature="users" tones={PERSON_TONES} />
}

/** The columns of the user list. */
export const personColumns = [
  col.name('username'),
  col.text('displayName', { width: 190 }),
  col.ltr('email', { width: 210 }),
  col.cell('roles', (row) => <TagList tags={row.roles.map((key) => roleName(key, row.roleNames[key]))} />, {
    width: 180,
  }),
  { ...col.cell('status', (row) => <PersonBadge person={row} />), isStatus: true },
  col.text('parentName', { hidden: true }),
  col.text('createdByName', { phone: false, width: 130 }),
  col.date('lastSeenAt', { hidden: true }),
  col.date('createdAt', { width: 130 }),
]
