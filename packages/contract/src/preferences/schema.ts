import { z } from 'zod'

export const THEMES = ['light', 'dark', 'system'] as const
export const SKINS = ['default', 'bordered'] as const
export const CONTENT_WIDTHS = ['boxed', 'fluid'] as const
export const NAV_LAYOUTS = ['horizontal', 'vertical'] as const
export const BAR_TYPES = ['sticky', 'static', 'hidden'] as const
export const PRIMARY_COLORS = ['primary', 'primary-darken'] as const

/** What somebody may choose about how the console looks; each has a default where nothing was chosen. */
export const preferencesSchema = z.strictObject({
  theme: z.enum(THEMES),
  skin: z.enum(SKINS),
  appContentWidth: z.enum(CONTENT_WIDTHS),
  appContentLayoutNav: z.enum(NAV_LAYOUTS),
  isNavbarBlurEnabled: z.boolean(),
  isVerticalNavCollapsed: z.boolean(),
  isVerticalNavSemiDark: z.boolean(),
  navbarType: z.enum(BAR_TYPES),
  footerType: z.enum(BAR_TYPES),
  lightThemePrimaryColor: z.enum(PRIMARY_COLORS),
  darkThemePrimaryColor: z.enum(PRIMARY_COLORS),
  language: z.enum(['en', 'fr', 'ar']),
})

/** What was chosen; what was not is left out. */
export const chosenPreferencesSchema = preferencesSchema.partial()
export type ChosenPreferences = z.infer<typeof chosenPreferencesSchema>
export type PreferenceName = keyof z.infer<typeof preferencesSchema>
