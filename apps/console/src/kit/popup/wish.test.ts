import { expect, test } from 'vitest'
import { noWish } from './wish.ts'

test('what was wanted before does not count any more', () => {
  const wish = noWish()
  const byHover = wish.set('hover')
  const byClick = wish.set('click')
  expect([byHover(), byClick(), wish.is()]).toEqual([false, true, 'click'])
  wish.set('no')
  expect([byClick(), wish.is()]).toEqual([false, 'no'])
})

test('the same wish made again is another one', () => {
  const wish = noWish()
  const first = wish.set('hover')
  wish.set('no')
  const second = wish.set('hover')
  expect([first(), second()]).toEqual([false, true])
})
