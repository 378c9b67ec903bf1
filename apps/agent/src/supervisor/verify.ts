import { createHash, createPublicKey, verify } from 'node:crypto'
import type { Job } from '@weft/contract/agents/jobs'
import { canonicalJson } from '@weft/contract/core/canonical'
import { parseDocument, type WorkflowDocument } from '@weft/workflow/document'
import { decodeDocument } from '@weft/workflow/state-codec'

/** Whether the server that this agent joined signed the job. */
export function isSignedBy(serverPublicKey: string, signed: { job: Job; signature: string }): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(serverPublicKey, 'base64'), format: 'der', type: 'spki' })
    const bytes = Buffer.from(canonicalJson(signed.job))
    return verify(null, bytes, key, Buffer.from(signed.signature, 'base64'))
  } catch {
    // A key or signature that cannot even be read is a wrong one.
    return false
  }
}

/** The hash by which a document is named. */
export function hashDocument(document: unknown): string {
  return createHash('sha256').update(canonicalJson(document)).digest('hex')
}

/** Reads a document as the server sends it: states as objects, or as base64 texts. */
export function readDocument(raw: Record<string, unknown>): WorkflowDocument {
  const stored = parseDocument(raw)
  if (stored.ok) return stored.value
  const wire = decodeDocument(raw)
  if (wire.ok) return wire.value
  const [first] = stored.problems
  throw new Error(`The workflow cannot be read: ${first?.code ?? 'unknown'} at ${first?.path ?? ''}`)
}
