/** The page of a person. */
export function personPath(id: string): string {
  return `/cms/user/info/${id}`
}

/** The page on which a person is changed. */
export function editPersonPath(id: string): string {
  return `/cms/user/edit/${id}`
}

/** The list of people. */
export const PEOPLE_PATH = '/cms/user/list'
