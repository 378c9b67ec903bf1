import { expect, it } from 'vitest'
import { parseDocument } from '@weft/workflow/document'
import { validate } from '@weft/workflow/validate'
import { practiceWorkflow } from './practice-workflow.ts'

it('is a workflow that can be published', () => {
  const document = practiceWorkflow('http://127.0.0.1:4601', '0197f0c8-0000-7000-8000-000000000000')
  const parsed = parseDocument(document)
  expect(parsed).toMatchObject({ ok: true })
  if (parsed.ok) expect(validate(parsed.value)).toEqual([])
})
