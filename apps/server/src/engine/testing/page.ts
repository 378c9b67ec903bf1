import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import { changeEventSchema, type ChangeEvent } from '@weft/contract/core/events'
import type { TestPerson } from '../../testing/people.ts'

/** A page that is open at a server and hears of changes. */
export interface OpenPage {
  /** What it was told since it was last forgotten, as `feature kind id`. */
  told: () => string[]
  forget: () => void
  close: () => Promise<void>
}

/** Opens a page with the official client. */
export async function openPage(url: string, person: TestPerson): Promise<OpenPage> {
  let changes: ChangeEvent[] = []
  const connection = new HubConnectionBuilder()
    .withUrl(`${url}/hub`, {
      accessTokenFactory: () => person.token,
      transport: HttpTransportType.WebSockets,
    })
    .configureLogging(LogLevel.None)
    .build()
  connection.on('send', ({ message }: { message: unknown }) => {
    const change = changeEventSchema.safeParse(message)
    if (change.success) changes.push(change.data)
  })
  await connection.start()
  return {
    told: () => changes.map(({ feature, kind, id }) => `${feature} ${kind} ${id}`),
    forget: () => {
      changes = []
    },
    close: () => connection.stop(),
  }
}
