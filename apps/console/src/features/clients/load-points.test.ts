import { expect, it } from 'vitest'
import { stretches } from './load-points.ts'

it('a silent stretch stands there with nothing in it', () => {
  const point = { at: '2026-11-21T10:01:00.000Z', cpu: 5, mem: 100, busy: 1, slots: 2 }
  const load = {
    stepSeconds: 60,
    from: '2026-11-21T10:00:00.000Z',
    to: '2026-11-21T10:03:00.000Z',
    points: [point],
  }
  expect(stretches(load).map(({ at, point: found }) => [at.toISOString(), found?.cpu])).toEqual([
    ['2026-11-21T10:00:00.000Z', undefined],
    ['2026-11-21T10:01:00.000Z', 5],
    ['2026-11-21T10:02:00.000Z', undefined],
  ])
})
