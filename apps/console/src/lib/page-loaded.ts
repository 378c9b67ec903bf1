import { store } from './emitter.ts'

/** Whether the page of the present path is there; false from a change of path until its page is shown. */
export const pageLoaded = store(false)

/** The path changed: its page is still to come. */
export function pageLeft(): void {
  pageLoaded.set(false)
}

/** The page is shown. The full-screen spinner of the first load ends with it. */
export function pageShown(): void {
  pageLoaded.set(true)
}
