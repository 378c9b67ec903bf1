import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { CheckFailed } from './failed.ts'

/** Which addresses proxies may stand at in this installation. */
export interface AddressRules {
  /** Networks of private addresses that the operator opened. */
  open: BlockList
  /** Ports of this installation's own, which nobody reaches through a check. */
  ownPorts: ReadonlySet<number>
}

type Family = 4 | 6

/** Nobody's proxy: this host, link-local with the clouds' metadata, groups, what is reserved. No setting opens these. */
const NEVER = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '168.63.129.16/32',
  '100.100.100.200/32',
  '224.0.0.0/3',
  '::/128',
  'fe80::/10',
  'ff00::/8',
  'fd00:ec2::254/128',
  '2001::/32',
]
/** Private, or for examples: only where the operator opened them. */
const PRIVATE = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '::1/128',
  '2001:db8::/32',
  'fc00::/7',
  'fec0::/10',
]

/** The networks of a list in CIDR, to look addresses up in. */
export function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/')
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}
const never = listOf(NEVER)
const notPublic = listOf(PRIVATE)

const has = (list: BlockList, address: string) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/**
 * The address that really is meant: an IPv6 one that carries an IPv4 one (mapped, NAT64, 6to4) leads to that, and so is
 * judged by it.
 */
export function meantAddress(address: string): string {
  if (isIP(address) !== 6) return address
  const words = wordsOf(address)
  const v4 = (high = 0, low = 0) => [high >> 8, high & 255, low >> 8, low & 255].join('.')
  const [a, b, c, d, e, f, g, h] = words
  const zeros = (...some: (number | undefined)[]) => some.every((word) => word === 0)
  if (zeros(a, b, c, d, e) && f === 0xffff) return v4(g, h)
  if (zeros(a, b, c, d, e, f) && (g !== 0 || (h ?? 0) > 1)) return v4(g, h)
  if (a === 0x64 && b === 0xff9b) return v4(g, h)
  if (a === 0x2002) return v4(b, c)
  return address
}

/** The eight words of an IPv6 address. */
function wordsOf(address: string): number[] {
  const bare = address.replace(/%.*$/, '')
  // The URL parser writes the dotted end of a mapped address in words as well.
  const plain = new URL(`http://[${bare}]/`).hostname.slice(1, -1)
  const [head = '', tail] = plain.split('::')
  const words = (text: string) =>
    text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16))
  const first = words(head)
  if (tail === undefined) return first
  const last = words(tail)
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last]
}

/** Whether an address is one of a private network or of this machine. */
export function isPrivate(address: string): boolean {
  const meant = meantAddress(address)
  return has(notPublic, meant) || has(never, meant)
}

/** Whether a host of a URL is only known on this machine or in its network, as far as its name says that. */
export function isLocalHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  if (isIP(host) !== 0) return isPrivate(host)
  return !host.includes('.') || /\.(localhost|local|internal|lan|home|test)$/.test(host)
}

/** Whether a check may go to this address. */
export function mayReach(address: string, port: number, rules: AddressRules): boolean {
  const meant = meantAddress(address)
  if (has(never, meant)) return false
  if (has(notPublic, meant) && !has(rules.open, meant)) return false
  return !(rules.ownPorts.has(port) && isOurs(meant))
}

function isOurs(address: string): boolean {
  if (has(loopback, address)) return true
  return Object.values(networkInterfaces()).some((entries) =>
    entries?.some((entry) => meantAddress(entry.address) === address),
  )
}
const loopback = listOf(['127.0.0.0/8', '::1/128'])

/**
 * Looks a proxy's host up once and gives the address to connect to; whatever the name says a moment later does not matter.
 * Refuses where any of its addresses may not be reached. Fails as soon as `signal` says that it takes too long.
 */
export async function addressOf(
  host: string,
  port: number,
  rules: AddressRules,
  signal: AbortSignal,
): Promise<{ address: string; family: Family }> {
  const found = isIP(host) === 0 ? await resolved(host, signal) : [{ address: host, family: isIP(host) }]
  if (found.some(({ address }) => !mayReach(address, port, rules))) throw new CheckFailed('address_refused')
  const chosen = found.find(({ family }) => family === 4) ?? found[0]
  if (!chosen) throw new CheckFailed('unknown_host')
  return { address: chosen.address, family: chosen.family === 6 ? 6 : 4 }
}

async function resolved(host: string, signal: AbortSignal) {
  try {
    return await lookedUp(host, signal)
  } catch (cause) {
    signal.throwIfAborted()
    throw new CheckFailed('unknown_host', { cause })
  }
}

/** The addresses of a host. Nothing ends a look-up once it has begun, so it is left to itself where it takes too long. */
export async function lookedUp(host: string, signal: AbortSignal): Promise<LookupAddress[]> {
  signal.throwIfAborted()
  const looking = lookup(host, { all: true, verbatim: true })
  const stop = Promise.withResolvers<never>()
  const onAbort = () => stop.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([looking, stop.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
