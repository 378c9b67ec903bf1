import { describe, expect, test } from 'vitest'
import { bareExpression, findReferences, parseTemplate } from './expressions.ts'

const text = (value: string) => ({ kind: 'text', text: value })
const expression = (value: string) => ({ kind: 'expression', expression: value })
const parts = (template: string) => {
  const parsed = parseTemplate(template)
  return parsed.ok ? parsed.parts : parsed.code
}

describe('templates', () => {
  test.each([
    ['', [text('')]],
    ['plain } text {', [text('plain } text {')]],
    ['{{ a }}', [expression('a')]],
    ['x {{a}}{{b}} y', [text('x '), expression('a'), expression('b'), text(' y')]],
    ['{{ {a: {b: 1}}.a }}!', [expression('{a: {b: 1}}.a'), text('!')]],
    ["{{ '}}' }}", [expression("'}}'")]],
    ['{{ `}} ${ {a:1}.a } }}` }}', [expression('`}} ${ {a:1}.a } }}`')]],
    ['{{ /}}/.test(x) }}', [expression('/}}/.test(x)')]],
    ['{{ a / 2 }}/{{ b }}', [expression('a / 2'), text('/'), expression('b')]],
    ['{{ a /* }} */ }}', [expression('a /* }} */')]],
    ['\\{{ literal }}', [text('{{ literal }}')]],
    ['\\{{ {{ a }}', [text('{{ '), expression('a')]],
    ['تحية {{ inputs.name }} 👋', [text('تحية '), expression('inputs.name'), text(' 👋')]],
  ])('%j', (template, expected) => {
    expect(parts(template)).toEqual(expected)
  })

  test.each([
    ['{{', 'expression.unclosed'],
    ['{{ a }', 'expression.unclosed'],
    ['{{ "a }}', 'expression.unclosed'],
    ['a {{  }}', 'expression.empty'],
  ])('%j cannot be read', (template, code) => {
    expect(parts(template)).toBe(code)
  })

  test('hostile texts are read in time that grows with their length only', () => {
    const started = performance.now()
    for (const hostile of [
      '{{'.repeat(10_000),
      '{{ `${'.repeat(3_000),
      '{{ ' + '('.repeat(20_000),
      '\\{{'.repeat(6_000),
    ]) {
      parseTemplate(hostile)
      findReferences(hostile)
    }
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  test('braces around a whole expression are taken off', () => {
    expect(bareExpression(' {{ a > 1 }} ')).toBe('a > 1')
    expect(bareExpression('{{ a }} + {{ b }}')).toBe('{{ a }} + {{ b }}')
    expect(bareExpression('{ a: 1 }')).toBe('{ a: 1 }')
  })
})

describe('references', () => {
  test.each([
    ['steps.read.value[0].x', [{ root: 'steps', path: ['read', 'value'], exact: false }]],
    ['inputs["the name"]', [{ root: 'inputs', path: ['the name'], exact: true }]],
    ['item?.account?.username', [{ root: 'item', path: ['account', 'username'], exact: true }]],
    ['a.inputs.b', []],
    [
      'x ? inputs : vars',
      [
        { root: 'inputs', path: [], exact: true },
        { root: 'vars', path: [], exact: true },
      ],
    ],
  ])('%s', (source, expected) => {
    expect(findReferences(source).references).toEqual(expected)
  })

  test('names that the expression binds are told apart', () => {
    expect(findReferences('rows.map((item, i) => item.a + i)')).toEqual({
      references: [],
      unknownNames: ['rows'],
      shadowed: ['item'],
    })
  })
})
