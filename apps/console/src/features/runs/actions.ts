import { IconPlayerStop, IconRefresh } from '@tabler/icons-react'
import { runs } from '@weft/contract/runs/api'
import type { Run } from '@weft/contract/runs/schema'
import type { Action } from '../../kit/actions/action.ts'
import { text } from '../../lib/i18n/texts.ts'

/** What can be done with a run. */
export const runActions: readonly Action<Run>[] = [
  {
    id: 'retry',
    icon: IconRefresh,
    shown: ({ cycle }) => cycle === 'finished',
    run: ({ id }, { call }) => call(runs.retry, { id }),
    done: () => text('runs:retried'),
    invalidates: ['campaigns', 'reports'],
  },
  {
    id: 'cancel',
    icon: IconPlayerStop,
    danger: true,
    shown: ({ cycle }) => cycle !== 'finished',
    confirmText: () => text('runs:cancelText'),
    run: ({ id }, { call }) => call(runs.cancel, { id }),
    done: () => text('runs:cancelAsked'),
    invalidates: ['campaigns', 'reports'],
  },
]
