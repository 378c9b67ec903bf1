/** How many there are: counted, or, where that would take long, estimated. */
export interface Count {
  total: number
  estimated: boolean
}

/** A count as it is written: an estimate says that it is one, as below the list. */
export function countText(
  { total, estimated }: Count,
  t: (key: 'list.about', params: { total: number }) => string,
  number: (n: number) => string,
): string {
  return estimated ? t('list.about', { total }) : number(total)
}
