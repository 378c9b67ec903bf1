import type { ClientLoad } from '@weft/contract/clients/schema'

/** Every stretch of the period, those in which the client was silent too. */
export function stretches({ from, to, stepSeconds, points }: ClientLoad) {
  const known = new Map(points.map((point) => [Date.parse(point.at), point]))
  const all: { at: Date; point: ClientLoad['points'][number] | undefined }[] = []
  for (let at = Date.parse(from); at < Date.parse(to); at += stepSeconds * 1000)
    all.push({ at: new Date(at), point: known.get(at) })
  return all
}
