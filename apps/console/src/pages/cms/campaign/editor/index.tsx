import { Navigate } from 'react-router'
import { CAMPAIGNS } from '../../../../features/campaigns/paths.ts'

/** The editor is always about one campaign; without one the list is where to choose it. */
export default function EditorIndexPage() {
  return <Navigate to={CAMPAIGNS} replace />
}
