import { SystemPage } from '../../../features/system/system-page.tsx'

/** Config, System Config. */
export default SystemPage
