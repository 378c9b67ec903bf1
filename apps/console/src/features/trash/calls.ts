import { accounts } from '@weft/contract/accounts/api'
import { activities } from '@weft/contract/activities/api'
import { campaigns } from '@weft/contract/campaigns/api'
import { clients } from '@weft/contract/clients/api'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { phones } from '@weft/contract/phones/api'
import { profiles } from '@weft/contract/profiles/api'
import { projects } from '@weft/contract/projects/api'
import { proxies } from '@weft/contract/proxies/api'
import { roles } from '@weft/contract/roles/api'
import type { TrashKind } from '@weft/contract/trash/schema'
import { users } from '@weft/contract/users/api'
import { videos } from '@weft/contract/videos/api'
import { workflows } from '@weft/contract/workflows/api'

interface KindCalls {
  remove: Endpoint
  restore: Endpoint
  /** Only what can also be deleted for good by hand is done by the many. */
  bulk?: Endpoint
  bulkPreview?: Endpoint
}

/** Each kind's own calls for what lies in the trash. */
export const CALLS: Readonly<Record<TrashKind, KindCalls>> = {
  accounts,
  clients,
  profiles,
  phones,
  proxies,
  videos,
  campaigns,
  workflows,
  activities,
  projects,
  users,
  roles,
}
