import type * as SignalR from '@microsoft/signalr'

declare global {
  interface Window {
    /** The browser build's global. */
    signalR: typeof SignalR
    client: SignalR.HubConnection
    log: unknown[]
  }
}
