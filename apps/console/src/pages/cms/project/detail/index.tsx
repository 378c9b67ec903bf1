import { Navigate } from 'react-router'

/** A project's page needs a project. */
export default function ProjectDetailPage() {
  return <Navigate to="/cms/project/list" replace />
}
