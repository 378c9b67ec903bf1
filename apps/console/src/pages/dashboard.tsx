import { Dashboard } from '../features/reports/dashboard/dashboard.tsx'

/** Where things stand. */
export default function DashboardPage() {
  return <Dashboard />
}
