import {
  IconActivity,
  IconBriefcase,
  IconBuildingStore,
  IconChartBar,
  IconCircle,
  IconDatabase,
  IconDeviceDesktop,
  IconDeviceMobile,
  IconExternalLink,
  IconFolder,
  IconFolders,
  IconHanger,
  IconLayoutDashboard,
  IconMessage,
  IconNetwork,
  IconRoute,
  IconServer2,
  IconSettings,
  IconSpeakerphone,
  IconUserCircle,
  IconUserQuestion,
  IconUsers,
  IconVideo,
  IconId,
  type Icon,
} from '@tabler/icons-react'

/** The icons that the route list may name. */
const ICONS: Readonly<Record<string, Icon>> = {
  dashboard: IconLayoutDashboard,
  campaign: IconSpeakerphone,
  project: IconFolders,
  workflow: IconRoute,
  resource: IconDatabase,
  client: IconServer2,
  account: IconUserCircle,
  profile: IconId,
  desk: IconUserQuestion,
  phone: IconDeviceMobile,
  proxy: IconNetwork,
  video: IconVideo,
  device: IconDeviceDesktop,
  report: IconChartBar,
  config: IconSettings,
  activity: IconActivity,
  market: IconBuildingStore,
  fashion: IconHanger,
  chat: IconMessage,
  user: IconUsers,
  package: IconBriefcase,
  link: IconExternalLink,
  folder: IconFolder,
}

/** The icon of a name; a dot for one that is not known. */
export function menuIcon(name: string | undefined): Icon {
  return (name === undefined ? undefined : ICONS[name]) ?? IconCircle
}
