import { type HubConnection, HubConnectionBuilder, HttpTransportType, LogLevel } from '@microsoft/signalr'

/** The transports by the server's names and by the client's numbers. */
export const TRANSPORTS_OF_CLIENT = [
  ['WebSockets', HttpTransportType.WebSockets],
  ['ServerSentEvents', HttpTransportType.ServerSentEvents],
  ['LongPolling', HttpTransportType.LongPolling],
] as const

interface ClientOptions {
  transport?: HttpTransportType
  token?: string | (() => string)
  reconnect?: boolean
  skipNegotiation?: boolean
}

/** The official client, unmodified, and silent. */
export function connect(url: string, options: ClientOptions): HubConnection {
  const { transport, token = 'ann', reconnect = false, skipNegotiation = false } = options
  const builder = new HubConnectionBuilder()
    .withUrl(url, {
      accessTokenFactory: typeof token === 'string' ? () => token : token,
      skipNegotiation,
      ...(transport === undefined ? {} : { transport }),
    })
    .configureLogging(LogLevel.None)
  return (reconnect ? builder.withAutomaticReconnect([0, 50, 200]) : builder).build()
}
