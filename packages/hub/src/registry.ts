import type { Connection } from './connection.ts'
import { type HubLimits, RecordBudget } from './limits.ts'
import type { Target } from './types.ts'

interface UserShare<User> {
  all: Set<Connection<User>>
  budget: RecordBudget
}

/** Who is connected to this process, by key, public id, user and group. Only open connections can be targets. */
export class Registry<User> {
  readonly #limits: HubLimits
  readonly #byToken = new Map<string, Connection<User>>()
  readonly #open = new Map<string, Connection<User>>()
  readonly #users = new Map<string, UserShare<User>>()
  readonly #groups = new Map<string, Set<Connection<User>>>()

  constructor(limits: HubLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#byToken.size
  }

  find(token: string): Connection<User> | undefined {
    return this.#byToken.get(token)
  }

  /** Every connection, those negotiated only and those ending included. */
  all(): Iterable<Connection<User>> {
    return this.#byToken.values()
  }

  open(): Iterable<Connection<User>> {
    return this.#open.values()
  }

  /** Why this user may have no further connection now; null when it may. */
  refusal(userId: string): 'full' | 'tooMany' | null {
    if (this.#byToken.size >= this.#limits.connections) return 'full'
    const share = this.#users.get(userId)
    if (!share) return null
    if (share.all.size >= this.#limits.connectionsPerUser) return 'tooMany'
    let unused = 0
    for (const connection of share.all) if (connection.state === 'new') unused += 1
    return unused >= this.#limits.unusedPerUser ? 'tooMany' : null
  }

  add(connection: Connection<User>, now: number): void {
    this.#byToken.set(connection.token, connection)
    const share = this.#users.get(connection.userId)
    if (share) share.all.add(connection)
    else
      this.#users.set(connection.userId, {
        all: new Set([connection]),
        budget: new RecordBudget(this.#limits, now),
      })
  }

  announce(connection: Connection<User>): void {
    this.#open.set(connection.connectionId, connection)
  }

  /** It is no target any more, but its id is still known. */
  withdraw(connection: Connection<User>): void {
    this.#open.delete(connection.connectionId)
    for (const group of connection.groups) this.leave(connection.connectionId, group, connection)
  }

  forget(connection: Connection<User>): void {
    this.#byToken.delete(connection.token)
    const share = this.#users.get(connection.userId)
    share?.all.delete(connection)
    if (share?.all.size === 0) this.#users.delete(connection.userId)
  }

  spendRecord(userId: string, now: number): boolean {
    return this.#users.get(userId)?.budget.take(now) ?? false
  }

  /** False when the connection is not open here. */
  join(connectionId: string, group: string): boolean {
    const connection = this.#open.get(connectionId)
    if (!connection) return false
    connection.groups.add(group)
    const members = this.#groups.get(group)
    if (members) members.add(connection)
    else this.#groups.set(group, new Set([connection]))
    return true
  }

  leave(connectionId: string, group: string, connection = this.#open.get(connectionId)): boolean {
    if (!connection) return false
    connection.groups.delete(group)
    const members = this.#groups.get(group)
    members?.delete(connection)
    if (members?.size === 0) this.#groups.delete(group)
    return true
  }

  /** The open connections of a target. */
  *targets(target: Target<User>): Generator<Connection<User>> {
    switch (target.to) {
      case 'all':
        yield* this.#open.values()
        break
      case 'user':
        for (const connection of this.#users.get(target.id)?.all ?? [])
          if (connection.state === 'open') yield connection
        break
      case 'group':
        yield* this.#groups.get(target.id) ?? []
        break
      case 'connection': {
        const connection = this.#open.get(target.id)
        if (connection) yield connection
        break
      }
      case 'where':
        for (const connection of this.#open.values()) if (target.match(connection)) yield connection
        break
    }
  }

  /** Every connection of a user, whatever its state: for shutting the user out. */
  ofUser(userId: string): Connection<User>[] {
    return [...(this.#users.get(userId)?.all ?? [])]
  }
}
