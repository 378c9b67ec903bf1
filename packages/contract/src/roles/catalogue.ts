import type { Subject } from '../core/permissions.ts'
import type { FUNCTION_GROUPS, RISKS } from './schema.ts'

/** Where each function belongs, and how much harm it can do in the wrong hands. */
export const FUNCTIONS: Readonly<
  Record<Subject, { group: (typeof FUNCTION_GROUPS)[number]; risk: (typeof RISKS)[number] }>
> = {
  CAMPAIGN: { group: 'automation', risk: 'medium' },
  WORKFLOW: { group: 'automation', risk: 'medium' },
  PROJECT: { group: 'automation', risk: 'low' },
  ACTIVITY: { group: 'automation', risk: 'low' },
  DEVICE: { group: 'resources', risk: 'low' },
  CLIENT: { group: 'resources', risk: 'high' },
  ACCOUNT: { group: 'resources', risk: 'high' },
  PROFILE: { group: 'resources', risk: 'medium' },
  PHONE: { group: 'resources', risk: 'medium' },
  PROXY: { group: 'resources', risk: 'medium' },
  VIDEO: { group: 'resources', risk: 'low' },
  REPORT: { group: 'insight', risk: 'low' },
  AUDIT: { group: 'insight', risk: 'medium' },
  PACKAGE: { group: 'market', risk: 'medium' },
  LISTING: { group: 'market', risk: 'medium' },
  LEDGER: { group: 'market', risk: 'high' },
  FASHION: { group: 'studio', risk: 'low' },
  CHAT: { group: 'studio', risk: 'low' },
  ASSISTANT: { group: 'studio', risk: 'low' },
  USER: { group: 'administration', risk: 'high' },
  ROLE: { group: 'administration', risk: 'high' },
  FUNCTION: { group: 'administration', risk: 'high' },
  ROUTE: { group: 'administration', risk: 'medium' },
  SYSTEM: { group: 'administration', risk: 'high' },
  AUTH: { group: 'administration', risk: 'low' },
}
