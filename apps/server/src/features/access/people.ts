import type { RecordSource } from '../../kit/record.ts'
import { appUser } from './table.ts'

/** People as rules see them. */
export const USERS: RecordSource<typeof appUser> = {
  table: appUser,
  subject: 'USER',
  columns: { id: appUser.id, ownerId: appUser.ownerId, createdBy: appUser.createdBy, status: appUser.status },
}
