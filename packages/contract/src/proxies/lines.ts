import { z } from 'zod'
import { PROXY_PROTOCOLS } from './schema.ts'

/** A proxy as a line of text has it; `port` as it is written. */
export interface ProxyLine {
  protocol: (typeof PROXY_PROTOCOLS)[number]
  host: string
  port: string
  username: string
  password: string
}

/** What is wrong with a line. */
export type ProxyLineProblem = 'protocol' | 'proxy_line'

const HOST = String.raw`(?<host>\[[^\]\s]+\]|[^:[\]@/\s]+)`
const ENDPOINT = new RegExp(`^${HOST}:(?<port>\\d{1,5})$`)
const WITH_USER = new RegExp(`^${HOST}:(?<port>\\d{1,5}):(?<username>[^:]*):(?<password>.*)$`)
const LONGEST = 2048
const ipv6 = z.ipv6()
// oxlint-disable-next-line no-control-regex -- what no proxy line has
const CONTROL = /[\u0000-\u001f\u007f]/

/**
 * Reads a proxy: `host:port`, `host:port:user:pass`, `user:pass@host:port`, or any of them after `protocol://`. An IPv6
 * address stands in brackets. A password may hold colons and at-signs; before an at-sign, as in an address of the web, they
 * may also be percent-encoded, and are decoded.
 */
export function readProxyLine(line: string): { proxy: ProxyLine } | { problem: ProxyLineProblem } {
  const text = line.trim()
  if (text.length > LONGEST || CONTROL.test(text)) return { problem: 'proxy_line' }
  const { protocol, rest } = splitProtocol(text)
  if (protocol === undefined) return { problem: 'protocol' }
  const parts = splitCredentials(rest)
  if (!parts) return { problem: 'proxy_line' }
  const { host, port, username = '', password = '' } = parts
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  if (bare !== host && !ipv6.safeParse(bare).success) return { problem: 'proxy_line' }
  return { proxy: { protocol, host: bare, port, username, password } }
}

function splitProtocol(line: string): { protocol: ProxyLine['protocol'] | undefined; rest: string } {
  const found = /^([a-z0-9+.-]+):\/\//i.exec(line)
  if (!found) return { protocol: 'http', rest: line }
  const name = (found[1] ?? '').toLowerCase()
  const rest = line.slice(found[0].length).replace(/\/$/, '')
  if (name === 'socks5h' || name === 'socks') return { protocol: 'socks5', rest }
  return { protocol: PROXY_PROTOCOLS.find((protocol) => protocol === name), rest }
}

interface Parts {
  host: string
  port: string
  username?: string
  password?: string
}

function splitCredentials(text: string): Parts | undefined {
  const at = text.lastIndexOf('@')
  const endpoint = endpointOf(text.slice(at + 1))
  if (at >= 0 && endpoint) {
    const credentials = text.slice(0, at)
    const colon = credentials.indexOf(':')
    if (colon === -1) return { ...endpoint, username: decoded(credentials) }
    return {
      ...endpoint,
      username: decoded(credentials.slice(0, colon)),
      password: decoded(credentials.slice(colon + 1)),
    }
  }
  if (endpoint) return endpoint
  const groups = WITH_USER.exec(text)?.groups
  if (!groups) return undefined
  const { host = '', port = '', username, password } = groups
  return { host, port, username, password }
}

function endpointOf(text: string): Parts | undefined {
  const groups = ENDPOINT.exec(text)?.groups
  return groups && { host: groups['host'] ?? '', port: groups['port'] ?? '' }
}

/** Percent-encoding taken off; a lone percent sign is one. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
