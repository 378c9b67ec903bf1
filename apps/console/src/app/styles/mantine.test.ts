import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '../..')
const styles = join(source, '../../../node_modules/@mantine/core/styles')

test('the styles of every Mantine component in use are loaded', () => {
  const loaded = readFileSync(join(import.meta.dirname, 'mantine.css'), 'utf8')
  const shipped = new Set(readdirSync(styles))
  const used = new Set<string>()
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.tsx')) continue
    const text = readFileSync(join(source, file), 'utf8')
    for (const [, names = ''] of text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g))
      for (const name of names.split(',')) used.add(name.replace('type ', '').trim())
  }
  const missing = [...used].filter(
    (name) => shipped.has(`${name}.layer.css`) && !loaded.includes(`/${name}.layer.css`),
  )
  expect(missing).toEqual([])
})
