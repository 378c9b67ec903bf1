import { expect, test } from 'vitest'
import type { Setting } from '@weft/contract/system/settings'
import { changesOf, edited, isDefault, isOvertaken, shownValue } from './edits.ts'

const name: Setting = {
  key: 'siteName',
  value: 'Loom',
  default: 'WEFT',
  version: 3,
  changedAt: null,
  changedBy: null,
}

test('a value typed over and back again is no edit', () => {
  const typed = edited({}, name, 'Looms')
  expect(typed).toEqual({ siteName: { value: 'Looms', version: 3 } })
  expect(edited(typed, name, 'Loom')).toEqual({})
})

test('an edit keeps the version that was seen when it began', () => {
  const typed = edited({}, name, 'A')
  const later = { ...name, value: 'Other', version: 4 }
  expect(isOvertaken(typed.siteName, later)).toBe(true)
  expect(edited(typed, later, 'AB')).toEqual({ siteName: { value: 'AB', version: 3 } })
})

test('setting back shows the default and is sent as null', () => {
  const back = edited({}, name, null)
  expect(shownValue(back.siteName, name)).toBe('WEFT')
  expect(isDefault(back.siteName, name)).toBe(true)
  expect(changesOf(back, [name])).toEqual([{ key: 'siteName', value: null, version: 3 }])
  expect(changesOf(edited({}, name, 'WEFT'), [name])).toEqual([{ key: 'siteName', value: null, version: 3 }])
})
