import { z } from 'zod'
import { STORAGE, readStoredJson, writeStored } from '../../lib/storage.ts'
import { tableKey } from './source.ts'

const MOST = 50
const known = z.record(z.string(), z.record(z.string(), z.string())).catch({})

const read = () => known.parse(readStoredJson(STORAGE.importMappings))
const keyOf = (feature: string, columns: readonly string[]) => `${feature}:${tableKey(columns)}`

/** The mapping that was used for a table with these columns last time. */
export function rememberedMapping(
  feature: string,
  columns: readonly string[],
): Readonly<Record<string, string>> | undefined {
  return read()[keyOf(feature, columns)]
}

/** Remembers what each column meant, for the next table with the same columns. */
export function rememberMapping(
  feature: string,
  columns: readonly string[],
  mapping: Readonly<Record<string, string>>,
): void {
  if (columns.length === 0) return
  const key = keyOf(feature, columns)
  const { [key]: _old, ...others } = read()
  const kept = Object.entries(others).slice(1 - MOST)
  writeStored(STORAGE.importMappings, JSON.stringify(Object.fromEntries([...kept, [key, mapping]])))
}
