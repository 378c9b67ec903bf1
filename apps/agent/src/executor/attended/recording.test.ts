import { expect, it } from 'vitest'
import { RECORDED_MOST } from '@weft/contract/attended-runs/watched'
import { Recordings, type Content } from './recording.ts'

const entry = (value: string): Content => ({
  type: 'fill',
  unrecorded: null,
  state: { value },
  label: '',
  secret: null,
})

it('takes no more than a workflow could hold, says so, and leaves what is there as it is', () => {
  const recordings = new Recordings()
  for (let at = 1; at <= RECORDED_MOST; at += 1) expect(recordings.add(entry(String(at)))).toBe(at)
  // The last one is still being written.
  expect(recordings.told).toMatchObject({ on: true, full: false })
  recordings.change(RECORDED_MOST, { value: 'last' })
  const { last } = recordings
  expect(recordings.add(entry('one too many'))).toBeNull()
  expect(recordings.told).toMatchObject({ on: false, full: true })
  expect(recordings.last).toEqual(last)
  recordings.on = true
  expect(recordings.on).toBe(false)
})
