import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'

/** How each theme is drawn, on the bar and in its menu. */
export const THEME_ICONS = { light: IconSun, dark: IconMoon, system: IconDeviceDesktop }
