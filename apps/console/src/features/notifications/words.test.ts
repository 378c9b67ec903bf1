import { beforeAll, expect, test } from 'vitest'
import { NOTIFICATION_KIND_NAMES, NOTIFICATION_KINDS } from '@weft/contract/notifications/schema'
import { LANGUAGE_CODES, currentLanguage, languageOf } from '../../lib/i18n/languages.ts'
import { addTexts, lookUp } from '../../lib/i18n/lookup.ts'
import ar from './i18n/ar.json'
import en from './i18n/en.json'
import fr from './i18n/fr.json'
import kit from '../../kit/i18n/en.json'
import { grouped, placeOf, wordsOf } from './words.ts'

beforeAll(() => {
  for (const [code, texts] of Object.entries({ ar, en, fr }))
    addTexts(languageOf(code).code, 'notifications', texts)
  addTexts('en', 'kit', kit)
  currentLanguage.set(languageOf('en'))
})

test('every kind has a title and a sentence in every language, and a name where it can be muted', () => {
  expect([...NOTIFICATION_KIND_NAMES].sort()).toEqual(Object.keys(NOTIFICATION_KINDS).sort())
  for (const code of LANGUAGE_CODES)
    for (const kind of NOTIFICATION_KIND_NAMES) {
      expect([code, kind, lookUp(code, `notifications:kinds.${kind}`, { count: 1 })]).not.toContain(undefined)
      expect([code, kind, lookUp(code, `notifications:details.${kind}`, { count: 1 })]).not.toContain(
        undefined,
      )
      if (NOTIFICATION_KINDS[kind].mutable)
        expect([code, kind, lookUp(code, `notifications:names.${kind}`, { count: 1 })]).not.toContain(
          undefined,
        )
    }
})

test('kinds and params become sentences', () => {
  expect(
    wordsOf({ kind: 'campaign.finishedWithErrors', params: { campaign: 'Spring', done: 8, failed: 2 } }),
  ).toEqual({
    title: 'Campaign finished with errors: Spring',
    detail: 'Done: 8, failed: 2',
  })
  const params = { person: 'Ann', action: 'CREATE', subject: 'CAMPAIGN', note: 'for the spring' }
  expect(wordsOf({ kind: 'access.requested', params })).toEqual({
    title: 'Ann asks for access',
    detail: 'Campaigns: create · for the spring',
  })
  const counts = { records: 'proxies', created: 3, updated: 0, skipped: 1 }
  expect(wordsOf({ kind: 'import.finished', params: { ...counts, refused: 2 } })).toEqual({
    title: 'Import finished: proxies',
    detail: 'Created: 3, updated: 0, skipped: 1, rejected: 2',
  })
  expect(wordsOf({ kind: 'import.finished', params: counts }).detail).toMatch(/rejected: 0$/)
})

test('how long a campaign has stood still is told in the form of its number', () => {
  const told = (minutes: number) =>
    wordsOf({ kind: 'campaign.stalled', params: { campaign: 'Spring', minutes } }).detail
  expect(told(15)).toBe('Nothing has moved for 15 minutes, though items are ready.')
  expect(told(1)).toBe('Nothing has moved for 1 minute, though items are ready.')
  currentLanguage.set(languageOf('ar'))
  try {
    expect([2, 5, 15].map(told)).toEqual([
      expect.stringContaining('منذ دقيقتين مع'),
      expect.stringContaining(' دقائق '),
      expect.stringContaining(' دقيقة '),
    ])
  } finally {
    currentLanguage.set(languageOf('en'))
  }
})

test('a browser is named as people know it; what is none is shown as it calls itself', () => {
  const device = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'
  expect(wordsOf({ kind: 'signIn.newDevice', params: { device, address: '::1' } }).detail).toMatch(
    /^Chrome 140 on Linux, ::1\. /,
  )
  expect(
    wordsOf({ kind: 'signIn.newDevice', params: { device: 'curl/8.0', address: '::1' } }).detail,
  ).toMatch(/^curl\/8\.0, ::1\. /)
})

test('neighbours of a kind are together, and only neighbours', () => {
  const kinds = ['client.lost', 'client.lost', 'campaign.finished', 'client.lost'] as const
  expect(grouped(kinds.map((kind) => ({ kind }))).map((group) => group.length)).toEqual([2, 1, 1])
})

test('leads to the record, where it has a page', () => {
  expect(placeOf({ kind: 'campaign.stalled', feature: 'campaigns', recordId: '1', params: {} })).toBe(
    '/cms/campaign/info/1',
  )
  expect(
    placeOf({ kind: 'import.finished', feature: 'imports', recordId: '1', params: { records: 'proxies' } }),
  ).toBe('/cms/resource/proxies')
  const account = { feature: 'accounts', recordId: '1', params: {} } as const
  expect(placeOf({ ...account, kind: 'account.paused' })).toBe('/cms/resource/accounts/1')
  expect(placeOf({ ...account, kind: 'account.needsSignIn' })).toBe('/cms/resource/sign-in-desk')
  expect(placeOf({ kind: 'role.changed', feature: null, recordId: null, params: {} })).toBeNull()
})
