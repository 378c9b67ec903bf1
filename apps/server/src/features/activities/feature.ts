import { activities } from '@weft/contract/activities/api'
import type { Feature } from '../../kit/feature.ts'
import { implement } from '../../kit/implement.ts'
import { activityHandlers } from './handlers.ts'

/** The catalogue of step types, as the program has it and as the installation allows it. */
export const activitiesFeature: Feature = {
  name: 'activities',
  mount: (app) => implement(app, activities, activityHandlers),
  visible: {
    activities: async (who, ids) => new Set(who.can('VIEW', 'ACTIVITY') ? ids : []),
  },
}
