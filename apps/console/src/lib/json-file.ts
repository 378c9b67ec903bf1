import type { z } from 'zod'

/** Reads a file of JSON that somebody chose; null where it is none, or not of this form. */
export async function readJsonFile<T extends z.ZodType>(file: Blob, form: T): Promise<z.output<T> | null> {
  try {
    const read = form.safeParse(JSON.parse(await file.text()))
    return read.success ? read.data : null
  } catch {
    return null
  }
}
