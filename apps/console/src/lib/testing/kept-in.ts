/** A browser's storage, kept in memory; its keys are its own, as in a browser. */
export function keptIn(kept: Record<string, string> = {}): Storage {
  const methods = {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => {
      kept[key] = value
    },
    removeItem: (key: string) => {
      delete kept[key]
    },
    clear: () => {
      for (const key of Object.keys(kept)) delete kept[key]
    },
    key: (at: number) => Object.keys(kept)[at] ?? null,
    get length() {
      return Object.keys(kept).length
    },
  }
  // Storage shows what it keeps as properties, and its methods not among them.
  return Object.setPrototypeOf(kept, methods)
}
