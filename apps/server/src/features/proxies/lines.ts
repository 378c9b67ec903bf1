import { PROXY_PROTOCOLS } from '@weft/contract/proxies/schema'
import type { LineForm, SourceRow } from '../../kit/import/source.ts'

const ENDPOINT = /^(?<host>\[[^\]]+\]|[^:[\]]+):(?<port>\d{1,5})$/
const WITH_USER = /^(?<host>\[[^\]]+\]|[^:[\]]+):(?<port>\d{1,5}):(?<username>[^:]*):(?<password>.*)$/

/**
 * Reads a pasted proxy: `host:port`, `host:port:user:pass`, `user:pass@host:port` or any of them after `protocol://`. An
 * IPv6 address stands in brackets. A password may hold colons and at-signs.
 */
export const proxyLines: LineForm = {
  columns: ['protocol', 'host', 'port', 'username', 'password'],
  read(line): SourceRow {
    const { protocol, rest } = splitProtocol(line.trim())
    if (protocol === undefined) return wrong(line, 'protocol', `Not one of ${PROXY_PROTOCOLS.join(', ')}`)
    const parts = splitCredentials(rest)
    if (!parts) return wrong(line, 'proxy_line', 'Not host:port, host:port:user:pass or user:pass@host:port')
    const { host, port, username = '', password = '' } = parts
    return { values: [protocol, host.replace(/^\[(.*)\]$/, '$1'), port, username, password] }
  },
}

function splitProtocol(line: string): { protocol: string | undefined; rest: string } {
  const found = /^([a-z0-9]+):\/\//i.exec(line)
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
    if (colon === -1) return { ...endpoint, username: credentials }
    return { ...endpoint, username: credentials.slice(0, colon), password: credentials.slice(colon + 1) }
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

/** The whole line stands where the host would, so that it is found again in the file of rejected rows. */
function wrong(line: string, code: string, message: string): SourceRow {
  return { values: ['', line, '', '', ''], problem: { code, message } }
}
