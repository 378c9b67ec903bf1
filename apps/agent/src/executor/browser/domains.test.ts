import { describe, expect, it } from 'vitest'
import { DomainLimits, isLinkLocal } from './domains.ts'

describe('domain limits', () => {
  const allows = (lists: string[][], url: string) => {
    const { hostname, port, protocol } = new URL(url)
    return new DomainLimits(lists).allows(hostname, Number(port) || (protocol === 'https:' ? 443 : 80))
  }

  it('names a host exactly', () => {
    expect(allows([['example.org']], 'https://example.org/')).toBe(true)
    expect(allows([['example.org']], 'https://EXAMPLE.org./')).toBe(true)
    expect(allows([['example.org']], 'https://www.example.org/')).toBe(false)
    expect(allows([['example.org']], 'https://badexample.org/')).toBe(false)
    expect(allows([['example.org']], 'https://example.org.evil.net/')).toBe(false)
  })

  it('names any host below one', () => {
    expect(allows([['*.example.org']], 'https://a.b.example.org/')).toBe(true)
    expect(allows([['*.example.org']], 'https://example.org/')).toBe(false)
    expect(allows([['*.example.org']], 'https://badexample.org/')).toBe(false)
  })

  it('names a port where one is given', () => {
    expect(allows([['127.0.0.1:4601']], 'http://127.0.0.1:4601/')).toBe(true)
    expect(allows([['127.0.0.1:4601']], 'http://127.0.0.1:4602/')).toBe(false)
    expect(allows([['127.0.0.1']], 'http://127.0.0.1:4602/')).toBe(true)
  })

  it('must be within each list that is not empty', () => {
    expect(allows([['a.org', 'b.org'], [], ['b.org']], 'https://b.org/')).toBe(true)
    expect(allows([['a.org', 'b.org'], [], ['b.org']], 'https://a.org/')).toBe(false)
    expect(allows([[]], 'https://anything.org/')).toBe(true)
  })

  it('never allows link-local addresses, however they are written', () => {
    expect(allows([], 'http://169.254.169.254/')).toBe(false)
    expect(allows([['169.254.169.254']], 'http://169.254.169.254/')).toBe(false)
    expect(allows([], 'http://[fe80::1]/')).toBe(false)
    expect(allows([], 'http://2852039166/')).toBe(false)
    expect(isLinkLocal('::ffff:169.254.169.254')).toBe(true)
    expect(isLinkLocal('127.0.0.1')).toBe(false)
  })
})
