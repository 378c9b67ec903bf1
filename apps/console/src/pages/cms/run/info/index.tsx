import { Navigate } from 'react-router'
import { CAMPAIGNS } from '../../../../features/campaigns/paths.ts'

/** A run is found through its campaign. */
export default function RunIndexPage() {
  return <Navigate to={CAMPAIGNS} replace />
}
