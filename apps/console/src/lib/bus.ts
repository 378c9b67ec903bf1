/** Names of the events that page and app tell each other. */
export const BUS_EVENTS = {
  socketState: 'onSocketStateChanged',
  ping: 'ping',
  mounted: 'app-mounted',
} as const

/** Answers the page's `ping` with `app-mounted`, so that whatever surrounds the app can tell that it runs. */
export function answerPings(target: EventTarget): () => void {
  const answer = () => target.dispatchEvent(new Event(BUS_EVENTS.mounted))
  target.addEventListener(BUS_EVENTS.ping, answer)
  return () => target.removeEventListener(BUS_EVENTS.ping, answer)
}

/** Tells the page of the socket's state. */
export function tellSocketState(target: EventTarget, state: string): void {
  target.dispatchEvent(new CustomEvent(BUS_EVENTS.socketState, { detail: state }))
}
