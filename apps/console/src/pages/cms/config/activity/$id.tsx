import { useParams } from 'react-router'
import { activities } from '@weft/contract/activities/api'
import { ActivityHelp } from '../../../../features/activities/help/help.tsx'
import { Load } from '../../../../kit/states/states.tsx'
import { useRead } from '../../../../lib/query.ts'

/** One activity: how it is used, and how it may fail. */
export default function ActivityPage() {
  const { id = '' } = useParams()
  const record = useRead(activities.get, { id })
  return <Load of={record}>{(activity) => <ActivityHelp key={activity.id} activity={activity} />}</Load>
}
