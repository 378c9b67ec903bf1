/** The queue of accounts that need a person. */
export const DESK_PATH = '/cms/resource/sign-in-desk'

/** The page on which one open browser is shown. */
export const viewerPath = (id: string) => `${DESK_PATH}/${id}`
