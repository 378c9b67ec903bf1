import { join } from 'node:path'
import type { Plugin } from 'vite'

/** Where the parts begin that somebody sees who is not signed in. */
const SIGN_IN = ['app/auth/sign-in-page.tsx', 'app/auth/two-steps/challenge.tsx']
/** Where the parts begin that every page of somebody signed in shows, and the lists that most of them are. */
const FRAME = [
  'app/workbench.ts',
  'kit/page/page.tsx',
  'kit/list/use-resource-table.tsx',
  'kit/list/filters.tsx',
]

const OURS = /^(?!.*node_modules)/

/**
 * Finds out what the sign-in and what the frame is made of, so that each is one file. Left to itself the bundler makes a
 * file of each part that two pages have in common: eighty for one list, each of which costs a request and a moment. The
 * libraries come along by themselves, with what is used of them.
 */
export function firstFiles(root: string): {
  plugin: Plugin
  ofSignIn: (id: string) => boolean
  ofFrame: (id: string) => boolean
} {
  let signIn: ReadonlySet<string> = new Set()
  let frame: ReadonlySet<string> = new Set()
  return {
    ofSignIn: (id) => signIn.has(id),
    ofFrame: (id) => frame.has(id),
    plugin: {
      name: 'weft-first-files',
      apply: 'build',
      buildEnd(error) {
        // What could not be read is told by the bundler itself.
        if (error) return
        const madeOf = (files: readonly string[]) => {
          const found = new Set<string>()
          const waiting = files.map((file) => join(root, 'src', file))
          for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
            if (found.has(id)) continue
            const info = this.getModuleInfo(id)
            if (!info) throw new Error(`${id} is no part of the console any more.`)
            found.add(id)
            // A library's thousands of files would take longer to walk through than all else takes.
            waiting.push(...info.importedIds.filter((imported) => OURS.test(imported)))
          }
          return found
        }
        signIn = madeOf(SIGN_IN)
        frame = madeOf(FRAME)
      },
    },
  }
}
