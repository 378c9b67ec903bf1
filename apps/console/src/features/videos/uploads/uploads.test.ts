import { describe, expect, it } from 'vitest'
import { mayBeVideo, uploadKey } from './key.ts'
import { enqueue, nextToSend, totalOf, type UploadItem } from './queue.ts'
import { rateMeter } from './rate.ts'

const file = (name: string, size = 100) => ({ key: name, name, size })
const at = (items: readonly UploadItem[], key: string, changes: Partial<UploadItem>) =>
  items.map((item) => (item.key === key ? { ...item, ...changes } : item))

describe('the name of an upload', () => {
  it('is the same for the same file, another for another, and one that the server takes', () => {
    const film = { name: 'فيلم 🎬.mp4', size: 12_345_678, lastModified: 1_700_000_000_000 }
    expect(uploadKey(film)).toBe(uploadKey({ ...film }))
    expect(uploadKey(film)).not.toBe(uploadKey({ ...film, name: 'فيلم.mp4' }))
    expect(uploadKey(film)).not.toBe(uploadKey({ ...film, size: 12_345_679 }))
    expect(uploadKey(film)).not.toBe(uploadKey({ ...film, lastModified: 1_700_000_000_001 }))
    expect(uploadKey(film)).toMatch(/^[\w.:-]{8,100}$/)
  })
})

it('files that may be videos are known by ending or type', () => {
  expect(mayBeVideo({ name: 'A.MOV', type: '' })).toBe(true)
  expect(mayBeVideo({ name: 'blob', type: 'video/webm' })).toBe(true)
  expect(mayBeVideo({ name: 'a.avi', type: 'video/x-msvideo' })).toBe(false)
  expect(mayBeVideo({ name: 'mp4.pdf', type: 'application/pdf' })).toBe(false)
})

describe('the queue', () => {
  it('takes a file once, and anew where it failed or rests', () => {
    const items = enqueue([], [file('a'), file('b'), file('a')])
    expect(items.map(({ key }) => key)).toEqual(['a', 'b'])
    const failed = at(at(items, 'a', { state: 'failed', failure: { code: 'x' } }), 'b', {
      state: 'sending',
      sent: 5,
    })
    const again = enqueue(failed, [file('a'), file('b')])
    expect(again).toMatchObject([
      { key: 'a', state: 'waiting', failure: null },
      { key: 'b', state: 'sending', sent: 5 },
    ])
    expect(enqueue([], [{ ...file('c'), failure: { code: 'type' } }])).toMatchObject([{ state: 'failed' }])
  })

  it('sends two at once', () => {
    const items = enqueue([], [file('a'), file('b'), file('c'), file('d')])
    expect(nextToSend(items).map(({ key }) => key)).toEqual(['a', 'b'])
    expect(nextToSend(at(items, 'a', { state: 'stalled' })).map(({ key }) => key)).toEqual(['b'])
    expect(nextToSend(at(at(items, 'a', { state: 'sending' }), 'b', { state: 'sending' }))).toEqual([])
    expect(nextToSend(at(items, 'a', { state: 'paused' })).map(({ key }) => key)).toEqual(['b', 'c'])
  })

  it('adds up what is sent, without what failed', () => {
    let items = enqueue([], [file('a', 100), file('b', 300), file('c', 50)])
    items = at(items, 'a', { state: 'done', sent: 100 })
    items = at(items, 'b', { state: 'sending', sent: 30, bytesPerSecond: 10 })
    items = at(items, 'c', { state: 'failed' })
    expect(totalOf(items)).toEqual({ left: 1, sent: 130, size: 400, bytesPerSecond: 10 })
  })
})

it('the rate is evened out, and said twice a second at most', () => {
  const meter = rateMeter(0, 0)
  expect(meter.at(100, 1000)).toBeUndefined()
  expect(meter.at(1000, 1000)).toBe(1000)
  expect(meter.at(2000, 3000)).toBeCloseTo(1300)
  expect(meter.at(3000, 3000)).toBeCloseTo(910)
})
