import { describe, expect, it } from 'vitest'
import { keyInput, type KeyLike } from './keys.ts'

const key = (changes: Partial<KeyLike>): KeyLike => ({
  type: 'keydown',
  key: 'a',
  code: 'KeyA',
  keyCode: 65,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  ...changes,
})

describe('a key on its way to the client', () => {
  it('writes what it writes here, once', () => {
    expect(keyInput(key({}))).toMatchObject({ action: 'down', text: 'a', modifiers: 0 })
    expect(keyInput(key({ key: 'A', shiftKey: true }))).toMatchObject({ text: 'A', modifiers: 8 })
    expect(keyInput(key({ key: 'ع' }))).toMatchObject({ text: 'ع' })
    expect(keyInput(key({ type: 'keyup' }))).toMatchObject({ action: 'up', text: '' })
    expect(keyInput(key({ key: 'Enter', keyCode: 13 }))).toMatchObject({ text: '\r' })
    expect(keyInput(key({ key: 'ArrowDown', keyCode: 40 }))).toMatchObject({ text: '', key: 'ArrowDown' })
  })
  it('is a command with Ctrl, and a letter with AltGr', () => {
    expect(keyInput(key({ ctrlKey: true }))).toMatchObject({ text: '', modifiers: 2 })
    expect(keyInput(key({ key: '@', ctrlKey: true, altKey: true }))).toMatchObject({
      text: '@',
      modifiers: 0,
    })
  })
  it('stays here where it belongs to an input method or pastes', () => {
    expect(keyInput(key({ isComposing: true }))).toBeNull()
    expect(keyInput(key({ key: 'Unidentified', keyCode: 229 }))).toBeNull()
    expect(keyInput(key({ key: 'v', ctrlKey: true }))).toBeNull()
  })
})
