export const CAMPAIGN_ERRORS = {
  'campaign.wrong_state': 409,
  'campaign.no_release': 409,
  'campaign.no_client': 422,
  'campaign.no_resource': 422,
  'campaign.nothing_to_do': 422,
  'campaign.bad_inputs': 422,
  'campaign.not_editable': 409,
  'campaign.at_in_past': 422,
  'item.wrong_state': 409,
  'run.wrong_state': 409,
  'run.no_checkpoint': 409,
  'lease.gone': 409,
} as const
