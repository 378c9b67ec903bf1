import { useParams } from 'react-router'
import { RunPage } from '../../../../features/runs/run-page.tsx'

/** One run. */
export default function RunInfoPage() {
  const { id = '' } = useParams()
  return <RunPage key={id} id={id} />
}
