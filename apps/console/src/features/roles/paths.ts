/** The page of roles. */
export const ROLES_PATH = '/cms/config/permission'

/** The page of one role. */
export function rolePath(id: string): string {
  return `${ROLES_PATH}?role=${id}`
}

/** Where a role is made, perhaps as a copy of another. */
export function newRolePath(copyOf?: string): string {
  return `${ROLES_PATH}?role=new${copyOf === undefined ? '' : `&copy=${copyOf}`}`
}
