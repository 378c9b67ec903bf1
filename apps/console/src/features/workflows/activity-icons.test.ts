import { expect, test } from 'vitest'
import { activityTypes, definitionOf } from '@weft/workflow/catalogue/catalogue'
import { ACTIVITY_ICONS } from './activity-icons.ts'

test('every activity of the catalogue has its icon, and no icon is loaded in vain', () => {
  const named = activityTypes.map((type) => definitionOf(type)?.icon ?? type)
  expect([...new Set(named)].sort()).toEqual(Object.keys(ACTIVITY_ICONS).sort())
})
