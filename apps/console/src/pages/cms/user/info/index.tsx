import { Navigate } from 'react-router'

/** A person's page needs a person. */
export default function NobodyPage() {
  return <Navigate to="/cms/user/list" replace />
}
