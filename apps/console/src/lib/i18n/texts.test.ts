import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ERRORS } from '@weft/contract/errors'
import { FIELD_CODES } from '@weft/contract/core/errors'
import { accountSchema } from '@weft/contract/accounts/schema'
import { clientSchema } from '@weft/contract/clients/schema'
import { profileSchema } from '@weft/contract/profiles/schema'
import { projectSchema } from '@weft/contract/projects/schema'
import { runSchema } from '@weft/contract/runs/schema'
import { personSchema } from '@weft/contract/users/schema'
import { workflowSchema } from '@weft/contract/workflows/schema'
import { campaignSchema } from '@weft/contract/campaigns/schema'

const source = join(import.meta.dirname, '../..')
const LANGUAGES = ['en', 'fr', 'ar'] as const
const FORMS: Record<(typeof LANGUAGES)[number], readonly string[]> = {
  en: ['one', 'other'],
  fr: ['one', 'many', 'other'],
  ar: ['zero', 'one', 'two', 'few', 'many', 'other'],
}
/** The records that lists show. */
const LISTED: [feature: string, row: Readonly<Record<string, unknown>>][] = [
  ['accounts', accountSchema.shape],
  ['campaigns', campaignSchema.shape],
  ['clients', clientSchema.shape],
  ['profiles', profileSchema.shape],
  ['projects', projectSchema.shape],
  ['runs', runSchema.shape],
  ['workflows', workflowSchema.shape],
  ['users', personSchema.shape],
]
const SAME_EVERYWHERE = /: (?:CSV|NDJSON|JSON|URL|HTTPS?|SOCKS5|XPath|WEFT|Chromium|id|ID)\b/
const PLURAL = /_(zero|one|two|few|many|other)$/

function folders(): string[] {
  const parts = ['features', 'kit'].flatMap((part) =>
    readdirSync(join(source, part), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(source, part, entry.name, 'i18n'))
      .filter((folder) => readdirSync(join(folder, '..')).includes('i18n')),
  )
  return [join(source, 'app/i18n'), join(source, 'kit/i18n'), join(source, 'lib/i18n/errors'), ...parts]
}

function flatten(value: unknown, prefix = ''): Map<string, string> {
  const texts = new Map<string, string>()
  if (typeof value === 'string') texts.set(prefix, value)
  else if (value !== null && typeof value === 'object')
    for (const [key, inner] of Object.entries(value))
      for (const [path, text] of flatten(inner, prefix ? `${prefix}.${key}` : key)) texts.set(path, text)
  return texts
}

const read = (folder: string, language: string) =>
  flatten(JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8')))

const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*(\w+)[^}]*\}\}/g)]
    .map(([, name]) => name ?? '')
    .sort((a, b) => a.localeCompare(b))

/** The keys of a file: of a plural only its stem. */
function stems(texts: Map<string, string>): { plain: string[]; plural: Map<string, Set<string>> } {
  const plural = new Map<string, Set<string>>()
  const plain: string[] = []
  for (const key of texts.keys()) {
    const form = PLURAL.exec(key)?.[1]
    const stem = key.replace(PLURAL, '')
    // A key that merely ends like a form is a plural only beside its `other`.
    if (form && texts.has(`${stem}_other`)) plural.set(stem, (plural.get(stem) ?? new Set()).add(form))
    else plain.push(key)
  }
  return { plain: plain.sort(), plural }
}

describe.each(folders().map((folder) => [folder.slice(source.length + 1), folder] as const))(
  '%s',
  (_name, folder) => {
    const english = read(folder, 'en')

    test.each(['fr', 'ar'] as const)('%s has the same keys', (language) => {
      const [ours, theirs] = [stems(english), stems(read(folder, language))]
      expect(theirs.plain).toEqual(ours.plain)
      expect([...theirs.plural.keys()].sort()).toEqual([...ours.plural.keys()].sort())
    })

    test.each(LANGUAGES)('%s has every plural form of its language', (language) => {
      for (const [stem, forms] of stems(read(folder, language)).plural)
        expect([stem, ...FORMS[language].filter((form) => !forms.has(form))]).toEqual([stem])
    })

    test.each(['fr', 'ar'] as const)('%s fills the same placeholders', (language) => {
      const theirs = read(folder, language)
      for (const [key, text] of english) {
        if (PLURAL.test(key)) continue
        expect([key, placeholders(theirs.get(key) ?? '')]).toEqual([key, placeholders(text)])
      }
    })

    test.each(LANGUAGES)('%s leaves no text empty', (language) => {
      expect([...read(folder, language)].filter(([, text]) => text.trim() === '')).toEqual([])
    })
  },
)

test('every error code of the contract has words', () => {
  const texts = read(join(source, 'lib/i18n/errors'), 'en')
  expect(Object.keys(ERRORS).filter((code) => !texts.has(code))).toEqual([])
  expect(FIELD_CODES.filter((code) => !texts.has(`fields.${code}`))).toEqual([])
})

describe.each(LISTED)('%s', (feature, row) => {
  const own = read(join(source, 'features', feature, 'i18n'), 'en')
  const kit = read(join(source, 'kit/i18n'), 'en')

  test('every choice of a record has words', () => {
    const wordless = Object.entries(row).flatMap(([field, schema]) =>
      optionsOf(schema)
        .filter((value) => !own.has(`options.${field}.${value}`) && !kit.has(`status.${value}`))
        .map((value) => `${field}: ${value}`),
    )
    expect(wordless).toEqual([])
  })
})

/** The words that a field may hold, under whatever may be absent. */
function optionsOf(schema: unknown): string[] {
  if (schema instanceof z.ZodEnum) return schema.options.map(String)
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return optionsOf(schema.unwrap())
  return []
}

test('no language has left a text as it is in English', () => {
  // What is the same in both: names, formats, and words that French shares with English.
  const letters = /[A-Za-z]{2}/
  const arabic = /\p{Script=Arabic}/u
  const left = folders().flatMap((folder) =>
    [...read(folder, 'ar')]
      .map(([key, text]): [string, string] => [key, text.replaceAll(/\{\{.*?\}\}/g, '')])
      .filter(([, text]) => letters.test(text) && !arabic.test(text))
      .map(([key, text]) => `${folder.slice(source.length + 1)} ${key}: ${text}`),
  )
  expect(left.filter((line) => !SAME_EVERYWHERE.test(line))).toEqual([])
})

test('a workflow has one name in Arabic', () => {
  const others = folders().flatMap((folder) =>
    [...read(folder, 'ar')].flatMap(([key, text]) =>
      /مسار (?:ال)?عمل/.test(text) ? [`${folder.slice(source.length + 1)} ${key}: ${text}`] : [],
    ),
  )
  expect(others).toEqual([])
})
