import { NewCampaignForm } from '../../../features/campaigns/new-form.tsx'

/** Begins a campaign. */
export default function NewCampaignPage() {
  return <NewCampaignForm />
}
