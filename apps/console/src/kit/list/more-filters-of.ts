/** Filters that every resource's list has beside its own. */
export const MORE_FILTERS = ['tags', 'createdFrom', 'createdTo', 'used'] as const
export type MoreFilter = (typeof MORE_FILTERS)[number]

/** Those of them that a list has. */
export function moreFiltersOf(names: readonly string[]): readonly MoreFilter[] {
  return MORE_FILTERS.filter((name) => names.includes(name))
}
