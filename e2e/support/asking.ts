import type { WorkflowDocument } from '@weft/workflow/document'
import { sketch } from '@weft/workflow/testing/builder'

/** Asks twice, in a loop, and looks whether the page is the one that stood when it asked. */
export const asking = (url: string): WorkflowDocument =>
  sketch(
    [
      { id: 'open', type: 'open-page', state: { url: `${url}/sign-in` } },
      { id: 'once', type: 'set-variable', state: { name: 'times', value: '{{ vars.times + 1 }}' } },
      {
        id: 'rounds',
        type: 'for-each',
        state: { items: '["a", "b"]' },
        bodies: {
          body: [
            {
              id: 'ask',
              type: 'ask-person',
              name: 'Ask whether to go on',
              state: {
                title: 'May round {{ loop.value }} go on?',
                text: 'Look at the page first.',
                fields: [
                  { name: 'note', label: 'Note', kind: 'text' },
                  { name: 'sure', label: 'Sure', kind: 'boolean' },
                ],
                picture: true,
              },
              bodies: {
                answered: [
                  {
                    id: 'stands',
                    type: 'assert',
                    state: { subject: 'url', operator: 'contains', expected: '/sign-in' },
                  },
                  {
                    id: 'keep',
                    type: 'set-variable',
                    state: {
                      name: 'notes',
                      value: '{{ [...vars.notes, loop.value + steps.ask.answers.note] }}',
                    },
                  },
                ],
              },
            },
          ],
        },
      },
      {
        id: 'end',
        type: 'finish',
        state: {
          result: 'success',
          outputs: [
            { name: 'notes', value: '{{ vars.notes }}' },
            { name: 'times', value: '{{ vars.times }}' },
          ],
        },
      },
    ],
    {
      variables: [
        { name: 'notes', type: 'list' },
        { name: 'times', type: 'number' },
      ],
    },
  )
