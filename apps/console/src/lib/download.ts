/** The file name that an answer proposes. */
export function fileNameOf(disposition: string | null): string | undefined {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (extended) {
    try {
      return decodeURIComponent(extended)
    } catch {
      return undefined
    }
  }
  return /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1]
}

/** Saves a streamed answer as a file. */
export async function saveResponse(response: Response, fallbackName: string): Promise<void> {
  saveBlob(await response.blob(), fileNameOf(response.headers.get('content-disposition')) ?? fallbackName)
}

/** Saves bytes as a file. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads the address after this turn; a minute is more than it needs.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
