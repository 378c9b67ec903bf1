import { expect, test } from 'vitest'
import { commandOf } from './keyboard.ts'

const press = (key: string, held = '', rtl = false) =>
  commandOf(
    {
      key,
      ctrlKey: held.includes('c'),
      metaKey: held.includes('m'),
      altKey: held.includes('a'),
      shiftKey: held.includes('s'),
    },
    rtl,
  )

test('arrows walk, with Alt they move, with Shift they select', () => {
  expect(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'].map((key) => press(key))).toEqual([
    'up',
    'down',
    'out',
    'in',
  ])
  expect(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'].map((key) => press(key, 'a'))).toEqual([
    'moveUp',
    'moveDown',
    'moveOut',
    'moveIn',
  ])
  expect(press('ArrowUp', 's')).toBe('extendUp')
})

test('to the side they follow the reading direction', () => {
  expect(press('ArrowLeft', '', true)).toBe('in')
  expect(press('ArrowRight', 'a', true)).toBe('moveOut')
})

test('undo and redo on both kinds of keyboards', () => {
  expect(press('z', 'c')).toBe('undo')
  expect(press('Z', 'cs')).toBe('redo')
  expect(press('z', 'm')).toBe('undo')
  expect(press('y', 'c')).toBe('redo')
  expect(press('d', 'c')).toBe('duplicate')
})

test('plus adds with and without Shift; the browser keeps its own keys', () => {
  expect(press('+')).toBe('add')
  expect(press('+', 's')).toBe('add')
  expect(press('Insert')).toBe('add')
  expect(press('c', 'c')).toBeUndefined()
  expect(press('r', 'c')).toBeUndefined()
  expect(press('e', 'ca')).toBeUndefined()
  expect(press('Tab')).toBeUndefined()
})
