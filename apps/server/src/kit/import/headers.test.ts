import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { accounts } from '@weft/contract/accounts/api'
import { clients } from '@weft/contract/clients/api'
import { phones } from '@weft/contract/phones/api'
import { profiles } from '@weft/contract/profiles/api'
import { proxies } from '@weft/contract/proxies/api'
import { videos } from '@weft/contract/videos/api'
import { importFields, rowReader, suggestMapping } from './fields.ts'

const SOURCES = join(import.meta.dirname, '../../../../console/src')
const texts = z.looseObject({ fields: z.record(z.string(), z.unknown()) })
const group = z.record(z.string(), z.unknown())

/** What the console calls a field of a kind. */
function shownAs(kind: string, language: string): (name: string) => string | undefined {
  const read = (folder: string) =>
    texts.parse(JSON.parse(readFileSync(join(SOURCES, folder, `i18n/${language}.json`), 'utf8'))).fields
  const own = read(`features/${kind}`)
  const kit = read('kit')
  return (name) => {
    const [first = '', second] = name.split('.')
    const found = own[first] ?? kit[first]
    const text = second === undefined ? found : group.parse(found)[second]
    return typeof text === 'string' ? text : undefined
  }
}

const KINDS = { accounts, clients, phones, profiles, proxies, videos }

test.each(
  Object.entries(KINDS).flatMap(([kind, { create }]) =>
    ['en', 'fr', 'ar'].map((language) => ({ kind, create, language })),
  ),
)('a table headed as the console shows $kind in $language finds its fields', ({ kind, create, language }) => {
  const label = shownAs(kind, language)
  // A column that names a record is none of its ids.
  const fields = importFields(create.input, []).filter(({ name }) => !name.endsWith('Id'))
  const wanted = Object.fromEntries(fields.map(({ name }) => [name, label(name)]))
  expect(Object.values(wanted)).not.toContain(undefined)
  expect(suggestMapping(fields, Object.values(wanted).map(String))).toEqual(wanted)
})

test('accents, vowel signs and forms of a letter do not matter', () => {
  const fields = importFields(proxies.create.input, [])
  expect(suggestMapping(fields, ['HOTE', 'Cou\u0302t mensuel', 'المزود', 'معطل'])).toEqual({
    host: 'HOTE',
    costPerMonth: 'Cou\u0302t mensuel',
    provider: 'المزود',
    disabled: 'معطل',
  })
})

test('yes and no are understood in the languages of the console', () => {
  const fields = importFields(proxies.create.input, [])
  const read = rowReader(fields, { disabled: 'x' }, ['x'], 'csv', 'UTC')
  expect(['Oui', 'نعم', 'non', 'لا', 'vielleicht'].map((text) => read([text])['disabled'])).toEqual([
    true,
    true,
    false,
    false,
    'vielleicht',
  ])
})
