import { firstText, readable, textsOf } from '../../lib/i18n/texts.ts'
import type en from './i18n/en.json'

/** Texts of runs. */
export const useT = textsOf<typeof en>('runs')

/** What a type of step is called, as the workflow editor calls it. */
export function activityText(type: string): string {
  return firstText([`catalogue:activities.${type}.title`]) ?? type
}

/** What a class of error is called, such as `NavigationFailed`. */
export function errorClassText(name: string): string {
  return firstText([`runs:errorClass.${name}`]) ?? readable(name)
}
