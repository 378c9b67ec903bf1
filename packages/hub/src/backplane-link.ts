import { randomBytes } from 'node:crypto'
import type { Backplane, BackplaneMessage } from './backplane.ts'
import type { HubCore } from './core.ts'
import { OutRecord } from './protocol.ts'
import type { CloseOptions, WireTarget } from './types.ts'

/** How long a group change waits for the process that holds the connection. */
const ACK_MS = 2_000

/**
 * Ties a hub to its backplane. Records go out first and are delivered here when they come back, so that all processes
 * see the same order. Closes act here at once and are not obeyed when they come back: the user may be back already.
 */
export class BackplaneLink<User> {
  readonly #core: HubCore<User>
  readonly #backplane: Backplane
  /** Unlike the node's name, never the same for two processes. */
  readonly #self = randomBytes(9).toString('base64url')
  readonly #requests = new Map<number, (done: boolean) => void>()
  #lastRequest = 0

  constructor(core: HubCore<User>, backplane: Backplane) {
    this.#core = core
    this.#backplane = backplane
  }

  start(): Promise<void> {
    return this.#backplane.start((message) => this.#receive(message))
  }

  async stop(): Promise<void> {
    for (const settle of this.#requests.values()) settle(false)
    await this.#backplane.stop()
  }

  send(target: WireTarget, record: string): void {
    void this.#publish({ kind: 'record', from: this.#self, target, record })
  }

  close(target: WireTarget, { error, allowReconnect }: CloseOptions): void {
    void this.#publish({ kind: 'close', from: this.#self, target, error, allowReconnect })
  }

  /** True once the process that holds the connection has done it. */
  async changeGroup(action: 'add' | 'remove', connectionId: string, group: string): Promise<boolean> {
    this.#lastRequest += 1
    const request = this.#lastRequest
    const answer = new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), ACK_MS)
      this.#requests.set(request, (done) => {
        clearTimeout(timer)
        resolve(done)
      })
    })
    const sent = await this.#publish({
      kind: 'group',
      from: this.#self,
      action,
      connectionId,
      group,
      request,
    })
    if (!sent) this.#requests.get(request)?.(false)
    const done = await answer
    this.#requests.delete(request)
    return done
  }

  async #publish(message: BackplaneMessage): Promise<boolean> {
    try {
      await this.#backplane.publish(message)
      this.#core.counters.backplane.published += 1
      return true
    } catch (err) {
      this.#core.counters.backplane.failed += 1
      this.#core.logger.error({ err, kind: message.kind }, 'hub backplane did not take a message')
      return false
    }
  }

  #receive(message: BackplaneMessage): void {
    this.#core.counters.backplane.received += 1
    switch (message.kind) {
      case 'record':
        this.#core.deliver(message.target, new OutRecord(message.record))
        break
      case 'close':
        if (message.from !== this.#self) this.#close(message)
        break
      case 'group':
        if (message.from !== this.#self) this.#changeGroup(message)
        break
      case 'ack':
        if (message.to === this.#self) this.#requests.get(message.request)?.(true)
        break
    }
  }

  #close({ target, error, allowReconnect }: Extract<BackplaneMessage, { kind: 'close' }>): void {
    const { registry } = this.#core
    const connections = target.to === 'user' ? registry.ofUser(target.id) : [...registry.targets(target)]
    for (const connection of connections) connection.close('revoked', { error, allowReconnect })
  }

  #changeGroup(message: Extract<BackplaneMessage, { kind: 'group' }>): void {
    const { registry } = this.#core
    const done =
      message.action === 'add'
        ? registry.join(message.connectionId, message.group)
        : registry.leave(message.connectionId, message.group)
    if (done)
      void this.#publish({ kind: 'ack', from: this.#self, to: message.from, request: message.request })
  }
}
