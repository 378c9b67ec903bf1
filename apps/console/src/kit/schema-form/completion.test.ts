import { expect, test } from 'vitest'
import { completionAt, withCompletion, type TextKind } from './completion.ts'

const scope = ['inputs.name', 'steps.read.value', 'steps.read.count', 'item.account.username'].map(
  (expression) => ({ expression, hint: expression === 'inputs.name' ? 'Greeting' : '', group: 'g' }),
)

/** The caret is where the bar stands. */
function at(marked: string, kind: TextKind = 'template', asked = false) {
  const caret = marked.indexOf('|')
  const text = marked.replace('|', '')
  const found = completionAt(text, caret, kind, scope, asked)
  return found && { ...found, text, names: found.entries.map(({ expression }) => expression) }
}

/** What the text becomes when the first entry is chosen, with a bar for the caret. */
function chosen(marked: string, kind: TextKind = 'template', asked = false): string | null {
  const found = at(marked, kind, asked)
  const [entry] = found?.names ?? []
  if (!found || entry === undefined) return null
  const put = withCompletion(found.text, found, entry)
  return `${put.text.slice(0, put.caret)}|${put.text.slice(put.caret)}`
}

test.each([
  // An open template is closed; the caret stays within it.
  ['Hello {{ inp|', 'Hello {{ inputs.name| }}'],
  ['Hello {{|', 'Hello {{ inputs.name| }}'],
  ['Hello {{ inp| }}!', 'Hello {{ inputs.name| }}!'],
  // The whole path is replaced, not only what stands before the caret.
  ['{{ steps.re|ad.count }}', '{{ steps.read.value| }}'],
  ['{{ a + steps.read.c| * 2 }}', '{{ a + steps.read.count| * 2 }}'],
  // A call at its end stays.
  ['{{ item.acc|.trim() }}', '{{ item.account.username|.trim() }}'],
  // By the words of the author.
  ['{{ greet| }}', '{{ inputs.name| }}'],
])('%j becomes %j', (marked, expected) => {
  expect(chosen(marked)).toBe(expected)
})

test('behind an entry of a list its members are offered, and before it not', () => {
  const rows = ['steps.read.rows', 'steps.read.rows[0].name', 'steps.read.rows[0].mail', 'vars.rows[0].name']
  const offered = (marked: string) => {
    const text = marked.replace('|', '')
    const entries = rows.map((expression) => ({ expression, hint: '', group: 'g' }))
    const found = completionAt(text, marked.indexOf('|'), 'expression', entries, false)
    return found && [found.typed, ...found.entries.map(({ expression }) => expression)]
  }
  expect(offered('steps.read.rows[12].|')).toEqual([
    'steps.read.rows[12].',
    'steps.read.rows[12].name',
    'steps.read.rows[12].mail',
  ])
  expect(offered('1 + steps.read.rows[ 3 ].na|')).toEqual([
    'steps.read.rows[ 3 ].na',
    'steps.read.rows[ 3 ].name',
  ])
  expect(offered('steps.read.ro|')).toEqual(['steps.read.ro', 'steps.read.rows'])
})

test('in plain expressions no braces are put', () => {
  expect(chosen('user|', 'expression')).toBe('item.account.username|')
  expect(chosen('1 < |', 'expression', true)).toBe('1 < inputs.name|')
  expect(chosen('{{ inp|', 'expression')).toBe('{{ inputs.name| }}')
})

test('outside of a template it is offered only when asked for, with braces', () => {
  expect(at('inputs|')).toBeNull()
  expect(chosen('Hello |!', 'template', true)).toBe('Hello {{ inputs.name }}|!')
})

test.each([
  "{{ 'inp| }}",
  "{{ 'inp|' }}",
  '{{ (rows).na| }}',
  '{{ rows[n].na| }}',
  '{{ nothing| }}',
  '{{ inputs.name| }}',
  '\\{{ inp|',
])('nothing is offered at %j', (marked) => {
  expect(at(marked)).toBeNull()
})
