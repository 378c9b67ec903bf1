import { expect, it } from 'vitest'
import type { FrameMeta } from '@weft/contract/attended-runs/schema'
import { metaAfter } from './meta-after.ts'

const meta = (changes: Partial<FrameMeta>): FrameMeta => ({
  number: 1,
  width: 800,
  height: 600,
  url: 'https://site.example/',
  title: 'Page',
  tabs: 1,
  notice: null,
  dialog: null,
  secondsLeft: 90,
  ...changes,
})
const recording = () => ({ on: true, full: false, seq: 1, news: [] })

it('stays the same object while only the picture changes', () => {
  const first = metaAfter(null, meta({ recording: recording() }))
  expect(metaAfter(first, meta({ number: 2, secondsLeft: 89, recording: recording() }))).toBe(first)
})

it('stays the same object while a file is asked for', () => {
  const files = (state: 'asked' | 'taking') => ({ number: 1, multiple: false, accept: 'image/*', state })
  const first = metaAfter(null, meta({ files: files('asked') }))
  expect(metaAfter(first, meta({ number: 2, files: files('asked') }))).toBe(first)
  const taking = metaAfter(first, meta({ number: 3, files: files('taking') }))
  expect(taking.files?.state).toBe('taking')
  expect(metaAfter(taking, meta({ number: 4 })).files).toBeUndefined()
})

it('changes with what is said, and keeps what of it is unchanged', () => {
  const first = meta({ recording: recording() })
  const next = metaAfter(first, meta({ number: 2, title: 'Next', recording: recording() }))
  expect(next).toMatchObject({ number: 2, title: 'Next' })
  expect(next.recording).toBe(first.recording)
  const choice = {
    number: 1,
    box: { x: 0, y: 0, width: 1, height: 1 },
    label: '',
    options: [{ text: 'One', disabled: false, selected: true }],
  }
  const open = metaAfter(next, meta({ number: 3, title: 'Next', recording: recording(), choice }))
  expect(open.choice).toEqual(choice)
  // A list that closed is gone.
  expect(metaAfter(open, meta({ number: 4, title: 'Next', recording: recording() })).choice).toBeUndefined()
})
