/** A proxy in one word: host and port, with an IPv6 address in brackets. */
export function proxyName({ host, port }: { host: string; port: number }): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
