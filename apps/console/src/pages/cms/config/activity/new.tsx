import { NewActivity } from '../../../../features/activities/custom/form.tsx'
import { ActivityList } from '../../../../features/activities/list.tsx'

/** A new activity of one's own, in a drawer beside the list. */
export default function NewActivityPage() {
  return (
    <>
      <ActivityList />
      <NewActivity />
    </>
  )
}
