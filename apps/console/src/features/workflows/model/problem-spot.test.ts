import { expect, test } from 'vitest'
import { sketch } from '@weft/workflow/testing/builder'
import { validate } from '@weft/workflow/validate'
import { problemSpot } from './problem-spot.ts'

/** The part of a message that its first problem is about. */
function part(message: string): string | null {
  const document = sketch([{ id: 'a', type: 'log', state: { message } }])
  const problem = validate(document, {}).find(({ field }) => field === 'message')
  const spot = problem && problemSpot(problem, message, false)
  return spot ? message.slice(spot.from, spot.to) : null
}

test.each([
  ['Hello {{ inputs.nam }}!', 'inputs.nam'],
  ['{{ 1 }} and {{ [].steps + steps.gone.value }}', 'steps.gone'],
  ['{{ rows.length }}', 'rows'],
  ["{{ 'vars.no' + vars.no }}", 'vars.no'],
  ['Hello {{ inputs.', '{{ inputs.'],
  ['Hello', null],
])('%j: %j', (message, expected) => {
  expect(part(message)).toBe(expected)
})
