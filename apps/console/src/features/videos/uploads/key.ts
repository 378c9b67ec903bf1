/**
 * What the console calls the upload of a file: the same file has the same name after a reload, so the server knows that
 * it is to go on. It is not a proof of what the file holds; that is the server's hash.
 */
export function uploadKey(file: { name: string; size: number; lastModified: number }): string {
  return `${file.size.toString(36)}.${Math.round(file.lastModified).toString(36)}.${hashOf(file.name)}`
}

/** 64 bits of FNV-1a over the UTF-8 of a text. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash.toString(36)
}

const ENDINGS = /\.(?:mp4|m4v|mov|qt|webm|mkv)$/i

/** Whether a file may be a video that the server takes, by what the browser says of it. */
export function mayBeVideo({ name, type }: { name: string; type: string }): boolean {
  return ENDINGS.test(name) || /^video\/(?:mp4|quicktime|webm|x-matroska|matroska|x-m4v)$/.test(type)
}
