import type { ArgsSchema, Call, HubMethod, HubStream } from './types.ts'

/** A method or a stream, as the dispatcher finds it by name. */
export type Entry<User> = {
  name: string
  args: ArgsSchema<readonly unknown[]>
  uploads: number
} & (
  | { streaming: false; handle: (call: Call<User>, args: readonly unknown[]) => unknown }
  | { streaming: true; handle: (call: Call<User>, args: readonly unknown[]) => AsyncIterable<unknown> }
)

/** Methods by name, found without regard to case. A Map, so that `constructor` is an unknown method. */
export type MethodTable<User> = ReadonlyMap<string, Entry<User>>

/** Makes the table; two names that differ only in case are a mistake of the application. */
export function methodTable<User>(
  methods: Record<string, HubMethod<User>>,
  streams: Record<string, HubStream<User>>,
): MethodTable<User> {
  const table = new Map<string, Entry<User>>()
  const add = (entry: Entry<User>): void => {
    const key = entry.name.toLowerCase()
    if (table.has(key)) throw new Error(`Hub method '${entry.name}' is defined twice.`)
    table.set(key, entry)
  }
  for (const [name, method] of Object.entries(methods))
    add({
      name,
      args: method.args,
      uploads: method.uploads ?? 0,
      streaming: false,
      handle: (call, args) => method.handle(call, ...args),
    })
  for (const [name, stream] of Object.entries(streams))
    add({
      name,
      args: stream.args,
      uploads: stream.uploads ?? 0,
      streaming: true,
      handle: (call, args) => stream.handle(call, ...args),
    })
  return table
}
