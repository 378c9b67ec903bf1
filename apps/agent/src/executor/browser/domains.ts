import { isIP } from 'node:net'

/** An address that may not be reached. */
export class DomainRefused extends Error {
  readonly host: string

  constructor(host: string) {
    super(`The address ${host} is not among the allowed domains.`)
    this.name = 'DomainRefused'
    this.host = host
  }
}

/**
 * Where a run may go. Each list that is not empty must name the host: exactly, or by `*.` any host below it; with a port,
 * only that port. No list at all leaves everything open except link-local addresses, where clouds keep credentials.
 */
export class DomainLimits {
  readonly #lists: readonly (readonly string[])[]

  constructor(lists: readonly (readonly string[])[]) {
    this.#lists = lists.filter((list) => list.length > 0)
  }

  /** Whether a host and port may be reached, as far as the name tells. */
  allows(host: string, port: number): boolean {
    const name = normalise(host)
    if (isLinkLocal(name)) return false
    return this.#lists.every((list) => list.some((pattern) => matches(pattern, name, port)))
  }

  /** Throws where an address of the web may not be opened. */
  check(url: URL): void {
    if (!this.allows(url.hostname, portOf(url))) throw new DomainRefused(url.host)
  }
}

/** The port that an address means. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' || url.protocol === 'wss:' ? 443 : 80
}

/** Whether an address belongs to the link itself, as the metadata services of clouds do. */
export function isLinkLocal(address: string): boolean {
  const plain = address.toLowerCase().replace(/^::ffff:/, '')
  if (isIP(plain) === 4) return plain.startsWith('169.254.')
  if (isIP(plain) === 6) return /^fe[89ab]/.test(plain) || plain === 'fd00:ec2::254'
  return false
}

function normalise(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
}

function matches(pattern: string, host: string, port: number): boolean {
  const [, name = '', wantedPort] = /^(.*?)(?::(\d+))?$/.exec(pattern) ?? []
  if (wantedPort !== undefined && Number(wantedPort) !== port) return false
  if (name.startsWith('*.')) return host.endsWith(name.slice(1)) && host.length > name.length - 1
  return host === name
}
