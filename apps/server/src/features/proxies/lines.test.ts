import { expect, test } from 'vitest'
import { proxyLines } from './lines.ts'

const read = (line: string) => proxyLines.read(line).values

test.each([
  ['10.0.0.1:8080', ['http', '10.0.0.1', '8080', '', '']],
  ['proxy.example.net:3128:ann:s3cret', ['http', 'proxy.example.net', '3128', 'ann', 's3cret']],
  ['ann:s3:cr@t@proxy.example.net:3128', ['http', 'proxy.example.net', '3128', 'ann', 's3:cr@t']],
  ['socks5://ann:s3cret@10.0.0.1:1080', ['socks5', '10.0.0.1', '1080', 'ann', 's3cret']],
  ['HTTPS://proxy.example.net:443/', ['https', 'proxy.example.net', '443', '', '']],
  ['[2001:db8::1]:8080', ['http', '2001:db8::1', '8080', '', '']],
  ['[2001:db8::1]:8080:ann:a:b', ['http', '2001:db8::1', '8080', 'ann', 'a:b']],
  ['socks5h://ann:p@[::1]:1080', ['socks5', '::1', '1080', 'ann', 'p']],
  ['http://ann:s3%3Acr%40t@10.0.0.1:8080', ['http', '10.0.0.1', '8080', 'ann', 's3:cr@t']],
  ['ann%40corp:100%25@10.0.0.1:8080', ['http', '10.0.0.1', '8080', 'ann@corp', '100%']],
  ['ann:100%@10.0.0.1:8080', ['http', '10.0.0.1', '8080', 'ann', '100%']],
  ['10.0.0.1:8080:ann:100%25', ['http', '10.0.0.1', '8080', 'ann', '100%25']],
  ['ann@10.0.0.1:8080', ['http', '10.0.0.1', '8080', 'ann', '']],
  ['https://[2001:db8::1]:443:ann:pass', ['https', '2001:db8::1', '443', 'ann', 'pass']],
  ['ann:pass@[2001:db8::7]:1080', ['http', '2001:db8::7', '1080', 'ann', 'pass']],
  ['socks5://10.0.0.1:1080:ann:a:b@c', ['socks5', '10.0.0.1', '1080', 'ann', 'a:b@c']],
  ['10.0.0.1:8080:ann:p@ss', ['http', '10.0.0.1', '8080', 'ann', 'p@ss']],
])('reads %s', (line, values) => {
  expect(read(line)).toEqual(values)
})

test.each([
  '',
  'nonsense',
  '2001:db8::1:8080',
  'ftp://10.0.0.1:21',
  'host:port',
  ':8080',
  '[::1]',
  '[not an address]:80',
  '[zz]:80',
  '[10.0.0.1]:80',
  '10.0.0.1:8080\u0000',
  'ho\u001bst:80',
  'a b:80',
  '10.0.0.1:123456',
  '=cmd()|x',
  'x'.repeat(100_000),
  `${'a:'.repeat(50_000)}@`,
])('refuses %j and says why', (line) => {
  expect(proxyLines.read(line).problem).toBeDefined()
})
