/** Where the records of a feature are shown. */
const PATHS: Readonly<Record<string, (id: string) => string>> = {
  accounts: (id) => `/cms/resource/accounts/${id}`,
  profiles: (id) => `/cms/resource/profiles/${id}`,
  clients: (id) => `/cms/resource/clients/${id}`,
  campaigns: (id) => `/cms/campaign/info/${id}`,
  runs: (id) => `/cms/run/info/${id}`,
  projects: (id) => `/cms/project/detail/${id}`,
  workflows: (id) => `/cms/workflow/editor/${id}`,
  users: (id) => `/cms/user/info/${id}`,
  system: () => '/cms/config/system',
  routes: () => '/cms/config/route',
  sso: () => '/cms/config/system?tab=providers',
  mail: () => '/cms/config/system?tab=mail',
  botCheck: () => '/cms/config/system?tab=bot-check',
}
const WITHOUT_RECORD = new Set(['system', 'routes', 'sso', 'mail', 'botCheck'])

/** The page on which what was changed is shown, if it has one. */
export function recordPath(feature: string, recordId: string | null): string | undefined {
  const path = PATHS[feature]
  if (!path || (recordId === null && !WITHOUT_RECORD.has(feature))) return undefined
  return path(recordId ?? '')
}
