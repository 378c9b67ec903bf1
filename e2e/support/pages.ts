import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RouteNode } from '@weft/contract/system/schema'

const CONSOLE = join(import.meta.dirname, '../../apps/console/src')

/** A language, themes and widths in which pages are looked at: opened in the first of each, then turned to the others. */
export interface Look {
  language: 'en' | 'fr' | 'ar'
  themes: readonly ('light' | 'dark')[]
  widths: readonly number[]
}

/** A page with its address; `title` is the key of its words in the window's title. */
export interface Visit {
  path: string
  title: string
  needsSignIn?: boolean
}

/**
 * An address for every page file of the console that the server's route list leads to. `ids` says which record stands
 * for `$id` in which folder; a folder without one is an error, so that no page goes unseen.
 */
export function visitsOf(routes: readonly RouteNode[], ids: Readonly<Record<string, string>>): Visit[] {
  const nodes = flat(routes).filter((node) => node.file !== undefined)
  return pageFiles().flatMap((file) => {
    // The longest of the files that lead here is the node's own.
    const node = nodes
      .filter((each) => file === each.file || file.startsWith(`${each.file}/`))
      .toSorted((a, b) => (b.file?.length ?? 0) - (a.file?.length ?? 0))[0]
    if (!node?.file) throw new Error(`no route leads to the page ${file}`)
    const below = file.slice(node.file.length).replace(/\/index$/, '')
    const id = ids[node.file]
    if (below.includes('$id') && id === undefined) throw new Error(`no record to show on ${file}`)
    return [
      {
        path: node.path + below.replace('$id', id ?? ''),
        title: typeof node.meta.title === 'string' ? node.meta.title : '',
        needsSignIn: node.meta.requireAuth === true,
      },
    ]
  })
}

function flat(routes: readonly RouteNode[]): RouteNode[] {
  return routes.flatMap((node) => [node, ...flat(node.children ?? [])])
}

function pageFiles(): string[] {
  return readdirSync(join(CONSOLE, 'pages'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx') && !name.endsWith('.test.tsx'))
    .map((name) => name.replaceAll('\\', '/').replace(/\.tsx$/, ''))
    .toSorted()
}

/** The words of a title's key in a language, as the console's own file has them. */
export function titleWords(language: Look['language'], key: string): string | undefined {
  let value: unknown = JSON.parse(readFileSync(join(CONSOLE, `app/i18n/${language}.json`), 'utf8'))
  for (const part of key.split('.'))
    value = value !== null && typeof value === 'object' ? Reflect.get(value, part) : undefined
  return typeof value === 'string' ? value : undefined
}
