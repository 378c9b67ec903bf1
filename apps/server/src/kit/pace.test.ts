import { expect, test } from 'vitest'
import { Pace } from './pace.ts'

test('others have their turn while many rows are worked through', async () => {
  const pace = new Pace()
  let others = 0
  const timer = setInterval(() => (others += 1), 1)
  const end = performance.now() + 60
  let turns = 0
  while (performance.now() < end)
    if (pace.due) {
      await pace.turn()
      turns += 1
      expect(pace.due).toBe(false)
    }
  clearInterval(timer)
  expect(turns).toBeGreaterThan(2)
  expect(others).toBeGreaterThan(2)
})
