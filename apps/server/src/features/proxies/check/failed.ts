import type { ProxyCheckError } from '@weft/contract/proxies/schema'

/** A check that found out why a proxy does not let us through. */
export class CheckFailed extends Error {
  override name = 'CheckFailed'
  readonly reason: ProxyCheckError

  constructor(reason: ProxyCheckError, options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
  }
}
