import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { afterFrame } from './use-after-frame.ts'

let frames: (() => void)[] = []

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  frames = []
  vi.stubGlobal('requestAnimationFrame', (act: () => void) => frames.push(act))
  vi.stubGlobal('cancelAnimationFrame', (id: number) => {
    frames[id - 1] = () => undefined
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('acts once, after the frame and not within it', () => {
  const act = vi.fn()
  afterFrame(act)
  for (const frame of frames) frame()
  expect(act).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(act).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(1000)
  expect(act).toHaveBeenCalledOnce()
})

it('acts also where no frame is drawn', () => {
  const act = vi.fn()
  afterFrame(act)
  vi.advanceTimersByTime(1000)
  expect(act).toHaveBeenCalledOnce()
})

it('can be called off, before the frame and after it', () => {
  const act = vi.fn()
  afterFrame(act)()
  const end = afterFrame(act)
  for (const frame of frames) frame()
  end()
  vi.advanceTimersByTime(1000)
  expect(act).not.toHaveBeenCalled()
})
