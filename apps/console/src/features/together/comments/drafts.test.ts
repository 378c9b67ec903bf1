import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { forgetPerson } from '../../../lib/storage.ts'
import { keptIn } from '../../../lib/testing/kept-in.ts'
import { changeBegunOn, draftAt, keepDraft, leftUnsent, moveDraft } from './drafts.ts'

const [workflow, other] = ['w', 'v']

beforeEach(() => {
  vi.stubGlobal('sessionStorage', keptIn())
  vi.stubGlobal('localStorage', keptIn())
})
afterEach(() => void vi.unstubAllGlobals())

it('keeps what is written at each place apart, and nothing that says nothing', () => {
  keepDraft(workflow, { about: 'a' }, 'about a')
  keepDraft(workflow, { about: null }, 'about all')
  keepDraft(workflow, { answerTo: 't' }, ' \n')
  keepDraft(workflow, { change: 'c', version: 2 }, 'as it is', 'as it is')
  expect(draftAt(workflow, { about: 'a' })).toBe('about a')
  expect(draftAt(workflow, { about: null })).toBe('about all')
  expect(draftAt(workflow, { answerTo: 't' })).toBeNull()
  expect(draftAt(workflow, { change: 'c', version: 2 })).toBeNull()
  expect(draftAt(other, { about: 'a' })).toBeNull()
  keepDraft(workflow, { about: 'a' }, '')
  expect(draftAt(workflow, { about: 'a' })).toBeNull()
})

it('takes a draft along to another step, and writes over none', () => {
  keepDraft(workflow, { about: null }, 'typed first')
  moveDraft(workflow, { about: null }, { about: 'a' })
  expect([draftAt(workflow, { about: null }), draftAt(workflow, { about: 'a' })]).toEqual([
    null,
    'typed first',
  ])
  keepDraft(workflow, { about: 'b' }, 'there before')
  moveDraft(workflow, { about: 'a' }, { about: 'b' })
  expect([draftAt(workflow, { about: 'a' }), draftAt(workflow, { about: 'b' })]).toEqual([
    'typed first',
    'there before',
  ])
})

it('offers a change that was begun also when the comment is another by then, with what it is a change of', () => {
  expect(changeBegunOn(workflow, 'c')).toBeNull()
  keepDraft(workflow, { change: 'c', version: 2 }, '7\nof them', 'as it was')
  expect(draftAt(workflow, { change: 'c', version: 3 })).toBe('7\nof them')
  expect(changeBegunOn(workflow, 'c')).toBe(2)
  keepDraft(workflow, { change: 'c', version: 3 }, 'as it is', 'as it is')
  expect(changeBegunOn(workflow, 'c')).toBeNull()
})

it('keeps what was written while a text was on its way, and no word of what was sent', () => {
  expect(leftUnsent('Sent. And more', 'Sent.')).toBe('And more')
  expect(leftUnsent('Sent. ', 'Sent.')).toBe('')
  expect(leftUnsent('Not what was sent', 'Sent.')).toBe('Not what was sent')
})

it('forgets all of it when the person signs out', () => {
  keepDraft(workflow, { about: 'a' }, 'mine')
  forgetPerson()
  expect(draftAt(workflow, { about: 'a' })).toBeNull()
})
