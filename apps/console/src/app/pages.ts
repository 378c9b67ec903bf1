import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import { textsHere } from '../lib/i18n/wanted.ts'
import { pageName } from '../lib/navigation/route-table.ts'

const modules = import.meta.glob<{ default: ComponentType }>(['../pages/**/*.tsx', '!../pages/**/*.test.tsx'])

const loaders = new Map(Object.entries(modules).map(([path, load]) => [pageName(path), load]))
const components = new Map<string, LazyExoticComponent<ComponentType>>()

/** The names of all page files. */
export const PAGE_FILES: readonly string[] = [...loaders.keys()]

/** A page by its file's name; its code comes when it is first shown. */
export function pageComponent(file: string): LazyExoticComponent<ComponentType> | undefined {
  const known = components.get(file)
  if (known) return known
  const load = loaders.get(file)
  if (!load) return undefined
  const component = lazy(async () => {
    const page = await load()
    // Its parts have named the texts that they show.
    await textsHere()
    return page
  })
  components.set(file, component)
  return component
}

/** Begins to load a page before it is wanted. */
export function preloadPage(file: string): void {
  void loaders
    .get(file)?.()
    .catch(() => {
      // It is only ahead of time: the page itself will say what is wrong.
    })
}
