/** Names of the events that page and app tell each other. */
export const BUS_EVENTS = {
  socketState: 'onSocketStateChanged',
  ping: 'ping',
  mounted: 'app-mounted',
  logout: 'logout',
} as const

/** What `onSocketStateChanged` brings: the state's name, and its number in the order of the states. */
export interface SocketStateDetail {
  state: string
  number: number
}

/** Answers the page's `ping` with `app-mounted`, so that whatever surrounds the app can tell that it runs. */
export function answerPings(target: EventTarget): () => void {
  const answer = () => target.dispatchEvent(new Event(BUS_EVENTS.mounted))
  target.addEventListener(BUS_EVENTS.ping, answer)
  return () => target.removeEventListener(BUS_EVENTS.ping, answer)
}

/** Tells the page of the socket's state. */
export function tellSocketState(target: EventTarget, detail: SocketStateDetail): void {
  target.dispatchEvent(new CustomEvent(BUS_EVENTS.socketState, { detail }))
}

/** Tells the page that somebody signed out. */
export function tellLogout(target: EventTarget): void {
  target.dispatchEvent(new Event(BUS_EVENTS.logout))
}
