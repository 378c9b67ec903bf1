import type { Asked } from '@weft/contract/questions/schema'
import { columnsOf } from '../../kit/list/columns.tsx'
import { text } from '../../lib/i18n/texts.ts'

const col = columnsOf<Asked>()

/** The tones of how a question stands. */
export const STATE_TONES = {
  open: 'violet',
  answered: 'green',
  timed_out: 'amber',
  withdrawn: 'neutral',
} as const

/** The columns of the questions. */
export const questionColumns = [
  col.name('title'),
  col.status('state', STATE_TONES),
  // A run without a campaign is one of a test.
  col.text('campaignTitle', {
    value: ({ campaignId, campaignTitle }) =>
      campaignId === null ? text('questions:testRun') : campaignTitle,
  }),
  col.text('workflowName'),
  col.text('accountName'),
  col.date('since'),
  col.date('dueAt'),
  col.text('answeredByName'),
]
