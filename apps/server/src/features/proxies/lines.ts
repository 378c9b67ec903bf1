import { readProxyLine } from '@weft/contract/proxies/lines'
import { PROXY_PROTOCOLS } from '@weft/contract/proxies/schema'
import type { LineForm, SourceRow } from '../../kit/import/source.ts'

const WORDS = {
  protocol: `Not one of ${PROXY_PROTOCOLS.join(', ')}`,
  proxy_line: 'Not host:port, host:port:user:pass or user:pass@host:port',
} as const

/** Pasted proxies, one a line. */
export const proxyLines: LineForm = {
  columns: ['protocol', 'host', 'port', 'username', 'password'],
  read(line): SourceRow {
    const read = readProxyLine(line)
    if ('problem' in read) return wrong(line, read.problem, WORDS[read.problem])
    const { protocol, host, port, username, password } = read.proxy
    return { values: [protocol, host, port, username, password] }
  },
}

/** The whole line stands where the host would, so that it is found again in the file of rejected rows. */
function wrong(line: string, code: string, message: string): SourceRow {
  return { values: ['', line, '', '', ''], problem: { code, message } }
}
