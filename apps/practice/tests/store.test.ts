import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sniffPicture } from '../src/http/upload.ts'
import { seedAccounts, seedNotices } from '../src/seed.ts'
import { formatNumber, newNoticeSchema, parseNumber } from '../src/store/notice.ts'
import { openStore, type Store } from '../src/store/store.ts'
import { account, ONE_PIXEL_PNG } from './visitor.ts'

let folder: string
let store: Store

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'practice-'))
  store = await openStore(folder)
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

async function reopen(): Promise<void> {
  await store.close()
  store = await openStore(folder)
}

async function post(title: string): Promise<number> {
  const notice = newNoticeSchema.parse({ title, body: 'text', category: 'work' })
  return (await store.board.post({ ...notice, account: 'harbour01', author: 'A', via: 'api' })).number
}

const log = (): string => join(folder, 'practice', 'notices.log')

describe('the board', () => {
  it('begins with the first notices, once', async () => {
    expect(store.board.list()).toHaveLength(seedNotices.length)
    await reopen()
    expect(store.board.list()).toHaveLength(seedNotices.length)
    expect(store.board.get(1)?.title).toBe(seedNotices[0]?.title)
  })

  it('completes the first notices after a crash among them', async () => {
    const lines = (await readFile(log(), 'utf8')).split('\n')
    await store.close()
    await writeFile(log(), `${lines.slice(0, 5).join('\n')}\n{"number":6,"ti`)
    store = await openStore(folder)
    expect(store.board.list().map(({ title }) => title)).toEqual(
      seedNotices.map(({ title }) => title).toReversed(),
    )
    expect(new Set(store.board.list().map(({ number }) => number)).size).toBe(seedNotices.length)
  })

  it('numbers notices without gaps or repeats when many are posted at once, and keeps them', async () => {
    const numbers = await Promise.all(Array.from({ length: 200 }, (_, index) => post(`Notice ${index}`)))
    const first = seedNotices.length + 1
    expect(numbers).toEqual(Array.from({ length: 200 }, (_, index) => first + index))
    await reopen()
    expect(store.board.list({ seeded: false })).toHaveLength(200)
    expect(await post('After')).toBe(first + 200)
  })

  it('makes two notices of two equal posts', async () => {
    expect(await post('Same')).not.toBe(await post('Same'))
    expect(store.board.list({ title: 'Same' })).toHaveLength(2)
  })

  it('ignores a torn last line and goes on writing behind it', async () => {
    const kept = await post('Kept')
    await store.close()
    await appendFile(log(), '{"number":999,"title":"to')
    store = await openStore(folder)
    expect(store.board.get(999)).toBeUndefined()
    expect(await post('Next')).toBe(kept + 1)
    await reopen()
    expect(store.board.list({ seeded: false }).map(({ title }) => title)).toEqual(['Next', 'Kept'])
  })

  it('leaves the file alone until it writes, as another process may be using it', async () => {
    await appendFile(log(), '{"half')
    const before = await readFile(log(), 'utf8')
    await reopen()
    expect(await readFile(log(), 'utf8')).toBe(before)
  })

  it('refuses a file that is damaged in the middle', async () => {
    const text = await readFile(log(), 'utf8')
    await store.close()
    await writeFile(log(), text.replace('{', '['))
    await expect(openStore(folder)).rejects.toThrow('line 1 is damaged')
    await writeFile(log(), text)
    store = await openStore(folder)
  })

  it('finds by words, title, account and number', async () => {
    const number = await post('Blue Kayak')
    expect(store.board.list({ text: ' blue kayak ' })).toHaveLength(1)
    expect(store.board.list({ title: 'blue kayak' })).toHaveLength(0)
    expect(store.board.list({ account: 'harbour01', since: number - 1 })).toHaveLength(1)
    expect(store.board.list({ account: 'harbour02' })).toHaveLength(0)
  })
})

describe('sessions', () => {
  it('know the twelve accounts and nothing else', () => {
    expect(seedAccounts).toHaveLength(12)
    expect(
      new Set(seedAccounts.flatMap(({ username, password, token }) => [username, password, token])).size,
    ).toBe(36)
    for (const { username, password } of seedAccounts) {
      expect(store.sessions.check(username, password)?.username).toBe(username)
      expect(store.sessions.check(username, `${password}x`)).toBeNull()
    }
    expect(store.sessions.check('nobody', '')).toBeNull()
    expect(store.sessions.byToken(account(4).token)?.username).toBe('harbour04')
    expect(store.sessions.byToken('')).toBeNull()
  })

  it('outlive a restart until they are signed out, and cannot be forged', async () => {
    const cookie = store.sessions.start(account(2))
    await reopen()
    const session = store.sessions.read(cookie)
    expect(session?.account.username).toBe('harbour02')
    for (const forged of [
      '',
      'a',
      cookie.replace('harbour02', 'harbour03'),
      `${cookie}.x`,
      cookie.slice(0, -1),
    ]) {
      expect(store.sessions.read(forged)).toBeNull()
    }
    if (session) await store.sessions.end(session)
    await reopen()
    expect(store.sessions.read(cookie)).toBeNull()
  })
})

describe('switches', () => {
  const failures = (count: number, user = 'harbour01'): number[] =>
    Array.from({ length: count }, (_, index) => index + 1).filter(
      () => store.switches.rule(user, 'read').failStatus !== null,
    )

  it('fail an exact, evenly spread and repeatable share', async () => {
    await store.switches.set('all', { failPercent: 29 })
    const first = failures(100)
    expect(first).toHaveLength(29)
    await store.switches.set('all', { failPercent: 29 })
    expect(failures(100)).toEqual(first)
  })

  it('fail the first ones or every nth', async () => {
    await store.switches.set('all', { failFirst: 2 })
    expect(failures(10)).toEqual([1, 2])
    await store.switches.set('all', { failEvery: 3, failStatus: 502 })
    expect(failures(7)).toEqual([3, 6])
  })

  it('are about one account or about one kind of request', async () => {
    await store.switches.set('harbour03', { slowMs: 500, applies: 'writes' })
    expect(store.switches.delayMs('harbour03', 'write')).toBe(500)
    expect(store.switches.delayMs('harbour03', 'read')).toBe(0)
    expect(store.switches.delayMs('harbour04', 'write')).toBe(0)
    expect(store.switches.delayMs(null, 'write')).toBe(0)
  })

  it('outlive a restart and are gone when cleared', async () => {
    await store.switches.set('harbour05', { maintenance: true })
    await reopen()
    expect(Object.keys(store.switches.list())).toEqual(['harbour05'])
    await store.switches.clear()
    await reopen()
    expect(store.switches.list()).toEqual({})
  })

  it('refuse what is out of range or unknown', async () => {
    await expect(store.switches.set('all', { slowMs: 60_001 })).rejects.toThrow('slowMs')
    await expect(store.switches.set('all', { failStatus: 200 })).rejects.toThrow('failStatus')
    const unknown: object = { explode: true }
    await expect(store.switches.set('all', unknown)).rejects.toThrow('explode')
  })
})

describe('numbers, dates and pictures', () => {
  it('reads numbers in both forms', () => {
    expect(formatNumber(123)).toBe('N-000123')
    expect(parseNumber('N-000123')).toBe(123)
    expect(parseNumber('7')).toBe(7)
    for (const bad of ['0', '-1', '1e3', 'N-', '99999999999', ' 1', '']) expect(parseNumber(bad)).toBeNull()
  })

  it('takes real dates only', () => {
    const until = (showUntil: string): boolean =>
      newNoticeSchema.safeParse({ title: 'abc', body: 'b', category: 'work', showUntil }).success
    expect(until('2027-02-28')).toBe(true)
    for (const bad of ['2027-02-30', '2027-13-01', '27-01-01', 'soon']) expect(until(bad)).toBe(false)
  })

  it('knows pictures by their content', () => {
    expect(sniffPicture(ONE_PIXEL_PNG)).toBe('image/png')
    expect(sniffPicture(Buffer.from('ffd8ffe000104a464946', 'hex'))).toBe('image/jpeg')
    expect(sniffPicture(Buffer.from('RIFF\x10\0\0\0WEBPVP8 \0\0\0\0\0', 'latin1'))).toBe('image/webp')
    for (const bad of ['', '<svg/>', 'GIF89a', 'RIFF\x10\0\0\0WAVEfmt     ', '\x89PNG\r\n']) {
      expect(sniffPicture(Buffer.from(bad, 'latin1'))).toBeNull()
    }
  })
})
