/**
 * Which texts are wanted: every part of the console names the namespace of its texts when it is loaded, and a text that
 * is looked up names its own. What fetches them comes with the frame.
 */
type Fetch = (namespace: string) => Promise<void>

const wanted = new Set<string>()
const coming = new Map<string, Promise<void>>()
let fetchTexts: Fetch | undefined

/** Asks for the texts of a namespace, once. */
export function wantTexts(namespace: string): void {
  if (wanted.has(namespace)) return
  wanted.add(namespace)
  if (fetchTexts) begin(namespace, fetchTexts)
}

function begin(namespace: string, by: Fetch): void {
  const arrival = by(namespace).then(
    () => void coming.delete(namespace),
    (error: unknown) => {
      // Wanted anew, they are tried again.
      coming.delete(namespace)
      wanted.delete(namespace)
      throw error
    },
  )
  arrival.catch(() => {
    // Whoever waits for them is told; for others it is a text that shows its key.
  })
  coming.set(namespace, arrival)
}

/** The namespaces that were asked for so far. */
export function wantedTexts(): string[] {
  return [...wanted]
}

/** The arrival of a namespace's texts; undefined when they are here, or nothing could bring them. */
export function textsComing(namespace: string): Promise<void> | undefined {
  return coming.get(namespace)
}

/** Waits for all texts that are on their way. */
export async function textsHere(): Promise<void> {
  await Promise.all(coming.values())
}

/** Says by what texts are fetched from now on. */
export function fetchTextsBy(by: Fetch): void {
  fetchTexts = by
}
