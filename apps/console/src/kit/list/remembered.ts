import { z } from 'zod'
import {
  arrangementSchema,
  viewStateSchema,
  type Arrangement,
  type ViewState,
} from '@weft/contract/views/schema'
import { STORAGE, readStoredJson, writeStored } from '../../lib/storage.ts'

/** What this device remembers of a person's lists, so that they stand right at the first drawing. */
const schema = z.object({
  arranged: z.record(z.string(), arrangementSchema),
  /** The view that a list opens with; null where it is known that there is none. */
  defaults: z.record(z.string(), z.object({ id: z.string(), state: viewStateSchema }).nullable()),
})
type Remembered = z.infer<typeof schema>

const NOTHING: Remembered = { arranged: {}, defaults: {} }

function read(): Remembered {
  const stored = schema.safeParse(readStoredJson(STORAGE.lists))
  return stored.success ? stored.data : NOTHING
}

/** How the columns of every list were arranged when this device last knew. */
export function rememberedArrangements(): Readonly<Record<string, Arrangement>> {
  return read().arranged
}

/** Remembers how the columns of every list are arranged. */
export function rememberArrangements(arranged: Readonly<Record<string, Arrangement>>): void {
  writeStored(STORAGE.lists, JSON.stringify({ ...read(), arranged }))
}

/** The view that a list opens with: null for none, undefined where this device does not know. */
export function rememberedDefault(list: string): { id: string; state: ViewState } | null | undefined {
  return read().defaults[list]
}

/** Remembers the view that a list opens with. */
export function rememberDefault(list: string, view: { id: string; state: ViewState } | null): void {
  const known = read()
  writeStored(STORAGE.lists, JSON.stringify({ ...known, defaults: { ...known.defaults, [list]: view } }))
}
