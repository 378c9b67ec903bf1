import { ActivityList } from '../../../../features/activities/list.tsx'

/** The catalogue of activities, as this installation allows it. */
export default function ActivitiesPage() {
  return <ActivityList />
}
