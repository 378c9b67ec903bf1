import { expect, test } from 'vitest'
import { nameAt, piecesOf, withName } from './mention-text.ts'

const person = (username: string) => ({ id: username, username, displayName: username.toUpperCase() })

test('a comment is cut at the names of those who were told, the longest name first', () => {
  const [ann, lee] = [person('ann'), person('ann.lee')]
  expect(piecesOf('Hi @Ann, and @ann.lee: x@ann @annie', [ann, lee])).toEqual([
    { text: 'Hi ' },
    { person: ann, text: '@Ann' },
    { text: ', and ' },
    { person: lee, text: '@ann.lee' },
    { text: ': x@ann @annie' },
  ])
  expect(piecesOf('@ann', [])).toEqual([{ text: '@ann' }])
})

test('the name that is typed is found before the caret and put whole', () => {
  expect(nameAt('Hi @an and', 6)).toEqual({ q: 'an', from: 3 })
  expect(nameAt('@', 1)).toEqual({ q: '', from: 0 })
  expect(nameAt('mail@an', 7)).toBeNull()
  expect(nameAt('Hi @an and', 10)).toBeNull()
  expect(withName('Hi @an and', 3, 6, 'ann')).toEqual({ text: 'Hi @ann and', caret: 7 })
  expect(withName('@a', 0, 2, 'ann')).toEqual({ text: '@ann ', caret: 5 })
})
