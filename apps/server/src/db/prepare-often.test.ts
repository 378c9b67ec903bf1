import { expect, it } from 'vitest'
import { StatementNames } from './prepare-often.ts'

const ask = (names: StatementNames, text: string) => names.naming({ text, rowMode: 'array' })

it('names a statement once it is asked often, by its text', () => {
  const names = new StatementNames()
  for (let times = 0; times < 3; times += 1)
    expect(ask(names, 'select 1')).toEqual({ text: 'select 1', rowMode: 'array' })
  const named = ask(names, 'select 1')
  expect(named).toMatchObject({
    text: 'select 1',
    rowMode: 'array',
    name: expect.stringMatching(/^w_.{22}$/),
  })
  expect(ask(names, 'select 1')).toEqual(named)
  expect(ask(names, 'select 2')).not.toHaveProperty('name')
})

it('leaves alone what has a name or is a plain text', () => {
  const names = new StatementNames()
  for (let times = 0; times < 9; times += 1) {
    expect(names.naming('begin')).toBe('begin')
    const own = { name: 'own', text: 'select 3' }
    expect(names.naming(own)).toBe(own)
  }
})

it('names no more than a bounded number', () => {
  const names = new StatementNames()
  const texts = Array.from({ length: 1000 }, (_, index) => `select ${index}`)
  for (let times = 0; times < 3; times += 1) for (const text of texts) ask(names, text)
  expect(texts.filter((text) => 'name' in Object(ask(names, text)))).toHaveLength(600)
})
