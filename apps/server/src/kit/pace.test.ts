import { expect, test, vi } from 'vitest'
import { Pace } from './pace.ts'

test('others have their turn while many rows are worked through', async () => {
  let now = 1000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const pace = new Pace()
  for (let round = 0; round < 3; round += 1) {
    expect(pace.due).toBe(false)
    now += 4
    expect(pace.due).toBe(false)
    now += 1
    expect(pace.due).toBe(true)
    const others = vi.fn<() => void>()
    setImmediate(others)
    await pace.turn()
    expect(others).toHaveBeenCalledOnce()
  }
})
