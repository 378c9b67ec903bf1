import { IconPlayerPlay, IconPower, IconRoute } from '@tabler/icons-react'
import { activities } from '@weft/contract/activities/api'
import type { ActivityFigures, ActivityRow } from '@weft/contract/activities/schema'
import type { Action } from '../../kit/actions/action.ts'
import { deleteAction } from '../../kit/actions/common.ts'
import { text } from '../../lib/i18n/texts.ts'
import { workflowPath } from '../workflows/actions.ts'

/** What can be done with an activity. Switching one off tells first who uses it. */
export function activityActions(
  figuresOf: (id: string) => ActivityFigures | undefined,
): Action<ActivityRow>[] {
  return [
    {
      id: 'steps',
      icon: IconRoute,
      can: 'update',
      shown: ({ builtIn }) => !builtIn,
      to: ({ id }) => workflowPath(id),
    },
    {
      id: 'switchOn',
      icon: IconPlayerPlay,
      can: 'update',
      shown: ({ enabled }) => !enabled,
      run: ({ id, version }, { call }) => call(activities.update, { id, version, enabled: true }),
    },
    {
      id: 'switchOff',
      icon: IconPower,
      can: 'update',
      danger: true,
      shown: ({ enabled }) => enabled,
      confirmText: (row) =>
        text('activities:off.text', { count: (row && figuresOf(row.id)?.workflows) ?? 0 }),
      run: ({ id, version }, { call }) => call(activities.update, { id, version, enabled: false }),
      undo: ({ id, version }, { call }) =>
        call(activities.update, { id, version: version + 1, enabled: true }),
    },
    { ...deleteAction<ActivityRow>(activities), shown: ({ builtIn }) => !builtIn },
  ]
}
