import { stat } from 'node:fs/promises'
import type { BrowserContext } from 'playwright-core'
import type { Masker } from '../mask.ts'
import { MASK } from '../mask.ts'
import { rewriteZip } from './zip.ts'

/** Writes the trace of a context to a file, with every known secret taken out of it. */
export async function writeTrace(context: BrowserContext, path: string, masker: Masker): Promise<number> {
  await context.tracing.stop({ path })
  const { forms } = masker
  if (forms.length > 0) {
    const needles = forms.map((form) => Buffer.from(form))
    await rewriteZip(path, (content) => maskBytes(content, needles))
  }
  return (await stat(path)).size
}

/** The content with secrets replaced, or undefined where there are none. */
export function maskBytes(content: Buffer, needles: readonly Buffer[]): Buffer | undefined {
  let masked = content
  for (const needle of needles) {
    let from = 0
    const pieces: Buffer[] = []
    for (let at = masked.indexOf(needle); at !== -1; at = masked.indexOf(needle, from)) {
      pieces.push(masked.subarray(from, at), Buffer.from(MASK))
      from = at + needle.length
    }
    if (pieces.length > 0) masked = Buffer.concat([...pieces, masked.subarray(from)])
  }
  return masked === content ? undefined : masked
}
