import { users } from '@weft/contract/users/api'
import type { RoleChoice } from '@weft/contract/users/schema'
import { firstText } from '../../lib/i18n/texts.ts'
import { useRead } from '../../lib/query.ts'

/** What a role is called: the built-in ones in the reader's language, others as they were named. */
export function roleName(key: string, name: string | undefined): string {
  return firstText([`users:options.role.${key}`]) ?? name ?? key
}

/** The roles there are. */
export function useRoles(): readonly RoleChoice[] {
  return useRead(users.roles, {}).data?.data ?? []
}
