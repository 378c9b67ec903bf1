import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { asAppError } from './errors-reply.ts'
import { newId } from './id.ts'
import { maskSecrets } from './mask.ts'
import { fieldErrors } from './parse.ts'
import { RateLimit } from './rate.ts'
import { readKeyFile, secretsOf } from './secrets.ts'

describe('ids', () => {
  it('are version 7, unique, and grow within a millisecond', () => {
    const now = Date.now()
    const ids = Array.from({ length: 20_000 }, () => newId(now))
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.toSorted()).toEqual(ids)
    expect(
      Number.parseInt(
        newId(now + 10_000)
          .replaceAll('-', '')
          .slice(0, 12),
        16,
      ),
    ).toBe(now + 10_000)
  })
})

describe('secrets', () => {
  const place = { table: 'account', column: 'password', row: '1' }
  const secrets = secretsOf(Buffer.alloc(32, 1))

  it('open with their key, in their place, and differ each time they are sealed', () => {
    const sealed = secrets.seal('päss', place)
    expect(sealed).toMatch(/^v1:[0-9a-f]{8}:[\w-]+$/)
    expect(secrets.seal('päss', place)).not.toBe(sealed)
    expect(secrets.open(sealed, place)).toBe('päss')
  })

  it('never share a nonce, however many are sealed', () => {
    const nonceOf = (sealed: string) =>
      Buffer.from(sealed.split(':')[2] ?? '', 'base64url')
        .subarray(0, 12)
        .toString('hex')
    const sealed = Array.from({ length: 1000 }, () => secrets.seal('one word', place))
    expect(new Set(sealed.map(nonceOf)).size).toBe(1000)
    expect(sealed.every((one) => secrets.open(one, place) === 'one word')).toBe(true)
  })

  it('stay shut elsewhere, changed, or for another key', () => {
    const sealed = secrets.seal('word', place)
    expect(() => secrets.open(sealed, { ...place, row: '2' })).toThrow()
    expect(() => secrets.open(`${sealed.slice(0, -2)}AA`, place)).toThrow()
    expect(() => secretsOf(Buffer.alloc(32, 2)).open(sealed, place)).toThrow('another key')
  })

  it('have a key file that only its owner reads', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weft-key-'))
    const path = join(folder, 'deep', 'key')
    const key = await readKeyFile(path)
    expect(key).toHaveLength(32)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readKeyFile(path)).toEqual(key)
    expect(await readFile(path, 'utf8')).toContain(key.toString('base64'))
    await writeFile(path, 'short')
    await expect(readKeyFile(path)).rejects.toThrow('does not hold a key')
    await rm(folder, { recursive: true })
  })
})

describe('masking', () => {
  it('hides values of secrets at any depth, and keeps whether they are set', () => {
    expect(
      maskSecrets({
        name: 'a',
        password: 'x',
        list: [{ totpSeed: 'y', at: new Date(0) }],
        passwordHash: null,
        recoveryCodes: { set: true },
        lost: undefined,
      }),
    ).toEqual({
      name: 'a',
      password: '•••',
      list: [{ totpSeed: '•••', at: '1970-01-01T00:00:00.000Z' }],
      passwordHash: null,
      recoveryCodes: { set: true },
      lost: null,
    })
  })
})

describe('field errors', () => {
  const schema = z.strictObject({
    name: z.string().min(2).max(4),
    size: z.int().min(1).max(9),
    mail: z.email(),
    kind: z.enum(['a', 'b']),
    deep: z.strictObject({ list: z.array(z.number()).max(1) }),
    either: z.union([
      z.strictObject({ ids: z.array(z.uuid()) }),
      z.strictObject({ query: z.record(z.string(), z.unknown()) }),
    ]),
    own: z.string().refine((text) => text !== 'bad', { error: 'own.code' }),
  })
  const codes = (input: unknown) => {
    const parsed = schema.safeParse(input)
    return parsed.success ? [] : fieldErrors(parsed.error, input).map(({ path, code }) => `${path} ${code}`)
  }

  it('say where and what, for programs', () => {
    expect(codes({})).toEqual(
      ['name', 'size', 'mail', 'kind', 'deep', 'either', 'own'].map((name) => `${name} required`),
    )
    expect(
      codes({
        name: 'toolong',
        size: 10,
        mail: 'x',
        kind: 'c',
        deep: { list: [1, '2'], more: 1 },
        either: { ids: ['x'] },
        own: 'bad',
        extra: 1,
      }),
    ).toEqual([
      'name too_long',
      'size too_big',
      'mail format',
      'kind option',
      'deep.list too_long',
      'deep.more unknown',
      'either.ids.0 format',
      'own own.code',
      'extra unknown',
    ])
    expect(codes({ name: 5, size: 1.5 }).slice(0, 2)).toEqual(['name type', 'size type'])
  })
})

describe('the rate of calls', () => {
  it('is limited for each caller alone, and comes back with time', () => {
    const rate = new RateLimit({ burst: 3, perSecond: 2 })
    for (let n = 0; n < 3; n++) rate.take('a', 0)
    expect(() => rate.take('a', 0)).toThrow('Too many requests; try again in 1 s.')
    rate.take('b', 0)
    rate.take('a', 500)
    expect(() => rate.take('a', 500)).toThrow()
    for (let n = 0; n < 3; n++) rate.take('a', 60_000)
    expect(() => rate.take('a', 60_000)).toThrow()
  })
})

describe('what a caller is told', () => {
  it('of a value that no column can hold is that it is wrong, not that the server failed', () => {
    const refused = (code: string) =>
      asAppError(new Error('Failed query', { cause: Object.assign(new Error('out of range'), { code }) }))
    for (const code of ['22003', '22008', '22021', '22P05'])
      expect(refused(code).code).toBe('request.invalid')
    // A division by zero is the program's own mistake.
    expect(refused('22012').code).toBe('system.failed')
  })
})
