import { SystemPage } from '../features/system/system-page.tsx'

/** System Config at the address that stays open during maintenance. */
export default SystemPage
