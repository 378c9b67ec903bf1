import { ACCESS_ERRORS } from './access/errors.ts'
import { ACTIVITY_ERRORS } from './activities/errors.ts'
import { ATTENDED_ERRORS } from './attended-runs/errors.ts'
import { BULK_ERRORS } from './bulks/errors.ts'
import { CAMPAIGN_ERRORS } from './campaigns/errors.ts'
import { CLIENT_ERRORS } from './clients/errors.ts'
import { CORE_ERRORS } from './core/errors.ts'
import { DEVICE_ERRORS } from './devices/errors.ts'
import { FILE_ERRORS } from './files/errors.ts'
import { IMPORT_ERRORS } from './imports/errors.ts'
import { PROJECT_ERRORS } from './projects/errors.ts'
import { PROXY_ERRORS } from './proxies/errors.ts'
import { SYSTEM_ERRORS } from './system/errors.ts'
import { ROLE_ERRORS } from './roles/errors.ts'
import { TEST_RUN_ERRORS } from './test-runs/errors.ts'
import { USER_ERRORS } from './users/errors.ts'
import { VIDEO_ERRORS } from './videos/errors.ts'
import { VIEW_ERRORS } from './views/errors.ts'
import { VIEWING_ERRORS } from './viewing/errors.ts'
import { WORKFLOW_TEST_ERRORS } from './workflow-tests/errors.ts'
import { WORKFLOW_ERRORS } from './workflows/errors.ts'

/** Every code a call may fail with, and its HTTP status: the codes of all features in one table. */
export const ERRORS = {
  ...CORE_ERRORS,
  ...ACCESS_ERRORS,
  ...ACTIVITY_ERRORS,
  ...ATTENDED_ERRORS,
  ...BULK_ERRORS,
  ...CAMPAIGN_ERRORS,
  ...CLIENT_ERRORS,
  ...DEVICE_ERRORS,
  ...FILE_ERRORS,
  ...IMPORT_ERRORS,
  ...PROJECT_ERRORS,
  ...PROXY_ERRORS,
  ...SYSTEM_ERRORS,
  ...ROLE_ERRORS,
  ...TEST_RUN_ERRORS,
  ...USER_ERRORS,
  ...VIDEO_ERRORS,
  ...VIEW_ERRORS,
  ...VIEWING_ERRORS,
  ...WORKFLOW_ERRORS,
  ...WORKFLOW_TEST_ERRORS,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof ERRORS
