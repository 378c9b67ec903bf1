import { Navigate } from 'react-router'
import { CAMPAIGNS } from '../../../../features/campaigns/paths.ts'

/** A monitor is always about one campaign; without one the list is where to choose it. */
export default function InfoIndexPage() {
  return <Navigate to={CAMPAIGNS} replace />
}
