import { inputBatchSchema, type AttendInput } from './schema.ts'

/*
 * What a person types goes from the server to the agent sealed with the run's lease token, which only these two know: it
 * passes tables and streams that carry commands between processes, and none of them ever holds it readable.
 */

const NONCE = 12

/** Seals input for the agent that holds the run. */
export async function sealInput(leaseToken: string, events: readonly AttendInput[]): Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE))
  const plain = new TextEncoder().encode(JSON.stringify(events))
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, await keyOf(leaseToken), plain)
  return toBase64(new Uint8Array([...nonce, ...new Uint8Array(sealed)]))
}

/** Opens sealed input; throws where it was not sealed for this run. */
export async function openInput(leaseToken: string, sealed: string): Promise<AttendInput[]> {
  const bytes = Uint8Array.from(atob(sealed), (char) => char.charCodeAt(0))
  const plain = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: bytes.subarray(0, NONCE) },
    await keyOf(leaseToken),
    bytes.subarray(NONCE),
  )
  return inputBatchSchema.parse(JSON.parse(new TextDecoder().decode(plain)))
}

async function keyOf(leaseToken: string): Promise<CryptoKey> {
  const secret = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`input\n${leaseToken}`))
  return crypto.subtle.importKey('raw', secret, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
