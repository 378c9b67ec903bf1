import { expect, test } from 'vitest'
import { addTexts, lookUp } from '../../lib/i18n/lookup.ts'
import ar from '../i18n/ar.json'
import en from '../i18n/en.json'
import fr from '../i18n/fr.json'
import { countText } from './count.ts'

test.each([
  ['en', en, 'about 997'],
  ['fr', fr, 'environ 997'],
  ['ar', ar, 'نحو 997'],
] as const)('an estimate is not told as if it were counted: %s', (code, texts, said) => {
  addTexts(code, 'kit', texts)
  const t = (key: string, params: { total: number }) => lookUp(code, `kit:${key}`, params) ?? key
  expect(countText({ total: 997, estimated: true }, t, String)).toBe(said)
  expect(countText({ total: 997, estimated: false }, t, String)).toBe('997')
  const below = lookUp(code, 'kit:list.rangeAbout', { from: 1, to: 25, total: 997 }) ?? ''
  expect(below.endsWith(said)).toBe(true)
})
