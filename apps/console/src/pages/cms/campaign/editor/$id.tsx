import { useParams } from 'react-router'
import { CampaignEditor } from '../../../../features/campaigns/editor/editor.tsx'

/** Makes one campaign ready. */
export default function CampaignEditorPage() {
  const { id = '' } = useParams()
  return <CampaignEditor key={id} id={id} />
}
