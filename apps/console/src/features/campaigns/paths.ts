/** The list of campaigns. */
export const CAMPAIGNS = '/cms/campaign/list'

/** The page on which a campaign is watched. */
export function campaignPath(id: string): string {
  return `/cms/campaign/info/${id}`
}

/** The page on which a campaign is made ready. */
export function editorPath(id: string): string {
  return `/cms/campaign/editor/${id}`
}

/** Where one item's details are shown. */
export function itemPath(campaignId: string, itemId: string): string {
  return `${campaignPath(campaignId)}?item=${itemId}`
}
