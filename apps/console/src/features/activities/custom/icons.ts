import { ACTIVITY_ICONS } from '../../workflows/activity-icons.ts'

/** The icons that a custom activity can have, by the plain words of their names. */
export const ICONS = Object.keys(ACTIVITY_ICONS).map((value) => ({
  value,
  label: value
    .replace(/^Icon/, '')
    .replaceAll(/([a-z])([A-Z0-9])/g, '$1 $2')
    .toLowerCase(),
}))
