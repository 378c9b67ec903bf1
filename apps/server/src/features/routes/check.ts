import type { FieldError } from '@weft/contract/core/errors'
import type { ErrorCode } from '@weft/contract/errors'
import { messageOf } from '@weft/contract/messages'
import type { MenuTree, ShippedPage } from '@weft/contract/routes/schema'
import { AppError } from '../../kit/app-error.ts'

/**
 * Refuses a menu that is broken, each mistake with its place: every shipped page stands there once and no other, groups are
 * at the top, nothing twice, and the page by which it is changed back is in sight.
 */
export function checkTree(tree: MenuTree, pages: readonly ShippedPage[]): void {
  const shipped = new Map(pages.map((page) => [page.path, page]))
  const seen = new Set<string>()
  const errors: FieldError[] = []
  const wrong = (path: string, code: ErrorCode, params: Record<string, string>) =>
    errors.push({ path, code, params, message: messageOf(code, params) })

  for (const { entry, place, above } of placesOf(tree)) {
    const name = entry.kind === 'page' ? entry.path : entry.id
    if (seen.has(name)) wrong(place, 'routes.twice', { path: name })
    seen.add(name)
    if (entry.kind !== 'page') continue
    const page = shipped.get(entry.path)
    if (!page) wrong(place, 'routes.unknown', { path: entry.path })
    else if (page.isGroup && above) wrong(place, 'routes.too_deep', { path: entry.path })
    else if (!page.isGroup && 'children' in entry && entry.children)
      wrong(place, 'routes.shipped_children', { path: entry.path })
    if (page?.fixed && (entry.hidden || above?.hidden)) wrong(place, 'routes.fixed', { path: entry.path })
  }
  for (const { path } of pages) if (!seen.has(path)) wrong('tree', 'routes.missing', { path })
  if (errors.length > 0) throw new AppError('routes.invalid', {}, { errors })
}

/** Every entry with its place, such as `tree.2.children.0`, and the group that it is in. */
function* placesOf(tree: MenuTree) {
  for (const [at, entry] of tree.entries()) {
    const place = `tree.${at}`
    yield { entry, place, above: undefined }
    if (entry.kind === 'link') continue
    for (const [below, leaf] of (entry.children ?? []).entries())
      yield { entry: leaf, place: `${place}.children.${below}`, above: entry }
  }
}
