import type { Plugin } from 'vite'

const JSON_SCHEMA = /\/zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/
const EXPORTED = /^export (?:(?:const|function) (\w+)|\{ \w+ as (\w+) \})/gm

/** Leaves out what every schema of Zod brings to describe itself as JSON Schema: only the server does that. */
export function withoutJsonSchema(): Plugin {
  const left = new Set<string>()
  return {
    name: 'weft-without-json-schema',
    apply: 'build',
    transform(code, id) {
      if (!JSON_SCHEMA.test(id)) return null
      left.add(id)
      const names = [...code.matchAll(EXPORTED)].map(([, own, other]) => own ?? other ?? '')
      // A schema is asked for what would make one also where only its `~standard` is wanted.
      const exported = names.map((name) => `${name.startsWith('create') ? 'make' : 'left'} as ${name}`)
      return {
        code: `const left = () => { throw new Error('The console writes no JSON Schema.') }
const make = () => left
export { ${exported.join(', ')} }`,
        map: null,
      }
    },
    buildEnd(error) {
      if (!error && left.size !== 2) throw new Error('Zod keeps its JSON Schema elsewhere now.')
    },
  }
}
