import { store } from '../../lib/emitter.ts'

/** The title that the page shows; the breadcrumbs and the window's title use it where the route has none of its own. */
export const pageName = store<string | null>(null)
