import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import en from './i18n/en.json' with { type: 'json' }

const ROOT = join(import.meta.dirname, '../../../../..')
const CONTRACT = join(ROOT, 'packages/contract/src')
const SERVER = join(ROOT, 'apps/server/src')

/** The labels of all calls, and those that the server gives to what nobody called for. */
async function labels(): Promise<string[]> {
  const found = new Set<string>()
  const apis = readdirSync(CONTRACT, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?:^|[/\\])api\.ts$/.test(name),
  )
  for (const name of apis) {
    const module: object = await import(join(CONTRACT, name))
    for (const api of Object.values(module)) for (const label of auditsOf(api)) found.add(label)
  }
  const sources = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('testing'),
  )
  for (const name of sources)
    for (const [, label] of readFileSync(join(SERVER, name), 'utf8').matchAll(/\blabel: '([a-z_.]+)'/g))
      if (label) found.add(label)
  return [...found]
}

function auditsOf(api: unknown): string[] {
  if (api === null || typeof api !== 'object') return []
  return Object.values(api).flatMap((call: unknown) =>
    call !== null && typeof call === 'object' && 'audit' in call && typeof call.audit === 'string'
      ? [call.audit]
      : [],
  )
}

test('every audit label has words for its thing and its deed', async () => {
  const all = await labels()
  expect(all.length).toBeGreaterThan(90)
  const wordless = all.filter((label) => {
    const at = label.indexOf('.')
    const thing = at < 0 ? 'installation' : label.slice(0, at)
    return !Object.hasOwn(en.things, thing) || !Object.hasOwn(en.deeds, label.slice(at + 1))
  })
  expect(wordless).toEqual([])
})
