import { useParams } from 'react-router'
import { CampaignMonitor } from '../../../../features/campaigns/monitor/monitor.tsx'

/** Watches one campaign. */
export default function CampaignInfoPage() {
  const { id = '' } = useParams()
  return <CampaignMonitor key={id} id={id} />
}
