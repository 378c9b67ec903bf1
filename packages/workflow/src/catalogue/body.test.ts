import { expect, test } from 'vitest'
import { copyActivities } from '../operations.ts'
import { sketch } from '../testing/builder.ts'
import { validate } from '../validate.ts'
import { bodyOf } from './body.ts'
import { resultsOf } from './custom.ts'

test('copied steps become a body whose parameters are the inputs that they read', () => {
  const document = sketch(
    [
      { id: 'first', type: 'log', state: { message: 'left behind' } },
      {
        id: 'each',
        type: 'for-each',
        state: { items: 'inputs.rows' },
        bodies: {
          body: [
            {
              id: 'say',
              type: 'log',
              state: { message: '{{ inputs.who }} {{ vars.count }} {{ loop.value }}' },
            },
          ],
        },
      },
      { id: 'keep', type: 'set-variable', state: { name: 'total', value: '1' } },
      { id: 'end', type: 'finish', state: { outputs: [{ name: 'done', value: 'yes' }] } },
    ],
    {
      inputs: [
        { name: 'rows', type: 'list', required: true },
        { name: 'who', type: 'text', required: true },
        { name: 'unused', type: 'text', required: true },
      ],
    },
  )
  const body = bodyOf(copyActivities(document, ['each', 'keep', 'end']))
  expect(body.inputs).toEqual([
    { name: 'rows', type: 'list', required: true },
    { name: 'who', type: 'text', required: true },
  ])
  expect(body.variables.map(({ name }) => name)).toEqual(['count', 'total'])
  expect(body.activities.map(({ id }) => id).toSorted()).toEqual(['each', 'end', 'keep', 'say'])
  expect(validate(body).filter(({ severity }) => severity === 'error')).toEqual([])
  expect(resultsOf(body)).toEqual(['done'])
})
