import { describe, expect, it } from 'vitest'
import type { Recorded } from '@weft/contract/attended-runs/watched'
import { emptyDocument, parseDocument } from '@weft/workflow/document'
import { stepsInOrder } from '@weft/workflow/outline'
import { validate } from '@weft/workflow/validate'
import { addAt } from './commands.ts'
import { documentOf, startEditing, undoEdit } from './editor-state.ts'
import { insertRecorded } from './recorded.ts'

const targets = [{ by: 'label', text: 'Name', exact: true }]
const entry = (id: number, changes: Partial<Recorded>): Recorded => ({
  id,
  seq: id,
  type: 'click',
  unrecorded: null,
  state: { targets },
  label: '',
  secret: null,
  ...changes,
})

const RECORDED: Recorded[] = [
  entry(1, { type: 'open-page', state: { url: 'http://127.0.0.1:1/' } }),
  entry(2, { type: 'fill', state: { targets, value: 'a \\{{ b }}' } }),
  entry(3, { type: 'fill', state: { targets, value: '' }, secret: 1 }),
  entry(4, { type: null, unrecorded: 'upload', state: {} }),
  entry(5, { type: 'select', state: { targets, by: 'label', value: 'Large' } }),
  entry(6, { type: 'select', state: { targets, by: 'checked', checked: false } }),
  entry(7, { type: 'fill', state: { targets, value: '' }, secret: 2 }),
  entry(8, { type: 'click', state: { targets, waitForNavigation: true, clicks: 2 } }),
  entry(9, { type: 'press-key', state: { key: 'Enter', targets, times: 3 } }),
  entry(10, { type: 'open-tab', state: {} }),
  entry(11, { type: 'switch-tab', state: { by: 'index', value: '0', closeCurrent: true } }),
]

describe('what was recorded', () => {
  it('goes below the focus as one change, valid, with an input for each password field', () => {
    const one = addAt(startEditing(1, emptyDocument()), 'log', 0)
    const done = insertRecorded(one, RECORDED, 1)
    const document = documentOf(done)
    expect(stepsInOrder(document).map(({ type }) => type)).toEqual([
      'log',
      ...RECORDED.flatMap(({ type }) => (type === null ? [] : [type])),
    ])
    expect(document.inputs).toEqual([
      { name: 'password', type: 'text', required: true, secret: true },
      { name: 'password_2', type: 'text', required: true, secret: true },
    ])
    expect(
      document.activities.filter(({ type }) => type === 'fill').map(({ state }) => state['value']),
    ).toEqual(['a \\{{ b }}', '{{ inputs.password }}', '{{ inputs.password_2 }}'])
    expect(parseDocument(document).ok).toBe(true)
    expect(validate(document).filter(({ stepId }) => stepId !== 'log')).toEqual([])
    expect(documentOf(undoEdit(done))).toEqual(documentOf(one))
  })

  it('takes a secret input that is there already, and leaves one alone that is not secret', () => {
    const begun = (secret: boolean) =>
      startEditing(1, {
        ...emptyDocument(),
        inputs: [{ name: 'password', type: 'text', required: false, ...(secret ? { secret } : {}) }],
      })
    const names = (secret: boolean) =>
      documentOf(insertRecorded(begun(secret), RECORDED.slice(2, 3), 1)).inputs.map(({ name }) => name)
    expect(names(true)).toEqual(['password'])
    expect(names(false)).toEqual(['password', 'password_2'])
  })

  it('asks for each file that was chosen by an input of its own', () => {
    const begun = startEditing(1, {
      ...emptyDocument(),
      inputs: [{ name: 'file', type: 'text', required: false }],
    })
    const upload = (id: number, label: string) =>
      entry(id, { type: 'upload-file', state: { targets, file: '' }, label })
    const document = documentOf(insertRecorded(begun, [upload(1, 'Picture'), upload(2, '')], 1))
    expect(document.inputs.slice(1)).toEqual([
      { name: 'file_2', type: 'text', label: 'Picture', required: true },
      { name: 'file_3', type: 'text', required: true },
    ])
    expect(document.activities.map(({ state }) => state['file'])).toEqual([
      '{{ inputs.file_2 }}',
      '{{ inputs.file_3 }}',
    ])
    expect(validate(document)).toEqual([])
  })

  it('changes nothing where nothing can be repeated', () => {
    const state = startEditing(1, emptyDocument())
    expect(insertRecorded(state, RECORDED.slice(3, 4), 1)).toBe(state)
  })
})
